/** Lets this thread open tables in files. Imported before the functions, which open theirs as they are loaded. */
import { provideFiles } from '../../shared/store/client.ts';
import { fileClient } from './file-table.ts';

provideFiles(fileClient);
