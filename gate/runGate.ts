import { readSettings } from './settings/readSettings.ts'
import { SettingsError } from './settings/settingsError.ts'
import { SETTINGS } from './settings/settingTable.ts'
import { startGate } from './startGate.ts'

const USAGE = `Lets agents through to a server, as the agent registry decides.

  svc-gate --upstream http://127.0.0.1:8080 --endpoint SVCE-… --api https://registry.example/api
  svc-gate --forward-auth headers --endpoint SVCE-… --api https://registry.example/api

Each setting is a flag, an environment variable, or a line of the YAML file that --config names:

${Object.entries(SETTINGS)
  .map(
    ([name, { variable, meaning, isFlag }]) =>
      `  ${(isFlag ? `--${name}` : '').padEnd(20)} ${variable.padEnd(26)} ${meaning}`,
  )
  .join('\n')}
`

/** Runs the gate until it is asked to stop; returns its exit code: 0 stopped, 1 could not start, 2 wrong settings. */
export async function runGate(process: NodeJS.Process): Promise<number> {
  const warn = (message: string) => void process.stderr.write(`${message}\n`)
  try {
    const settings = readSettings({ args: process.argv.slice(2), env: process.env })
    if (settings === null) {
      process.stdout.write(USAGE)
      return 0
    }
    const gate = await startGate(settings, warn)
    const { upstream, gateway } = settings
    const purpose = upstream === null ? 'answers proxies' : `guards ${upstream.origin}`
    process.stdout.write(`svc-gate ${purpose} as ${gateway.counterpartyId}: ${gate.url}\n`)
    await new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
    })
    await gate.stop()
    return 0
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error))
    if (error instanceof SettingsError) warn('Try "svc-gate --help".')
    return error instanceof SettingsError ? 2 : 1
  }
}
