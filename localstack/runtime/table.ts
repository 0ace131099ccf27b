/** Creates the table in a file, or at an emulator. */
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { isFile } from '../../shared/store/client.ts';
import { tableShape } from '../../shared/store/table.ts';
import { makeTableIn } from '../engine/file-table.ts';

const newImages = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } as const;

/** Creates the table, with a stream of new images if `isStreamed`; an existing table stays as it is. */
export async function makeTable(
  endpoint: string,
  tableName: string,
  { isStreamed = false }: { readonly isStreamed?: boolean } = {},
): Promise<void> {
  if (isFile(endpoint)) return makeTableIn(endpoint, tableName);
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const stream = isStreamed ? { StreamSpecification: newImages } : {};
  try {
    await client.send(
      new CreateTableCommand(
        structuredClone({ TableName: tableName, ...tableShape, ...stream }) as never,
      ),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}
