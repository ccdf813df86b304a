import { type Config, readConfig } from '../server/config.ts'
import { ApiError } from '../server/errors.ts'
import { explainServerFailure } from '../server/terminal/explainServerFailure.ts'

/**
 * Runs a command of an operator with the settings of the service, and reports a failure in one sentence, with exit status 1.
 *
 * @param work Takes a function that reads the settings, which mistakes in the arguments and `--help` do not need.
 */
export async function runOperation(work: (settings: () => Config) => Promise<void>): Promise<void> {
  let config: Config | undefined
  const settings = () => {
    config ??= readConfig(process.env)
    return config
  }
  try {
    await work(settings)
  } catch (error) {
    console.error(explain(error, config?.databaseUrl))
    process.exitCode = 1
  }
}

function explain(error: unknown, databaseUrl: string | undefined): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof ApiError && error.code === 'CHAIN_UNAVAILABLE')
    return `The chain at RPC_URL does not respond as a node does: ${error.detail ?? error.message}`
  return explainServerFailure(error, databaseUrl) ?? error.message
}
