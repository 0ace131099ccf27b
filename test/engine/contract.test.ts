/** The store keeps its contract in a file, alone and as the functions share its commits. */
import { afterAll } from 'vitest';
import { dynamoLogs, groupCommitAt } from '../../shared/store/store.ts';
import { describeLogs } from '../contract/log.ts';
import { describePorts } from '../contract/ports.ts';
import { newTableFile, tableName } from '../fixture/table-file.ts';

const alone = newTableFile({ isFleeting: true });
const shared = newTableFile({ isFleeting: true });
const options = { client: alone.client, tableName };
const connection = { client: shared.client, tableName };
const groupCommit = groupCommitAt(shared.address, connection);

afterAll(() => {
  alone.remove();
  shared.remove();
});

describePorts('a file', () => options);
describeLogs('a file', () => dynamoLogs(options));
describePorts('a file with shared commits', () => ({ ...connection, groupCommit }));
