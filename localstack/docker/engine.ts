/** Checks that LocalStack can run: it needs a Docker engine, and so do the functions in it. */
import { runQuietly, ToolError } from './tool.ts';

const instead = 'Without Docker, `countersign start` runs the same handlers on this machine.';

/** Throws a `ToolError` when Docker, its engine or compose is missing. */
export async function assertEngine(): Promise<void> {
  const version = await runQuietly('docker', 'version', '--format', '{{.Server.Version}}').catch(
    () => {
      throw new ToolError(`LocalStack runs in Docker, and there is no command docker. ${instead}`);
    },
  );
  if (version.status !== 0)
    throw new ToolError(
      `LocalStack runs in Docker, and no Docker engine answers (${version.complaint}). ${instead}`,
    );
  const { status } = await runQuietly('docker', 'compose', 'version');
  if (status !== 0)
    throw new ToolError(
      'Docker has no compose, which starts LocalStack: https://docs.docker.com/compose/install/',
    );
}
