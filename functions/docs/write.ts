/** Writes the reference as one file, for the package and for Lambda: `node --import tsx functions/docs/write.ts <file>`. */
import { writeFileSync } from 'node:fs';
import { buildDocs } from './build.ts';

const [path = ''] = process.argv.slice(2);
writeFileSync(path, JSON.stringify(buildDocs()));
