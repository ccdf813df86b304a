import { checkRegistry } from './checkRegistry.ts'
import { createGate } from './createGate.ts'
import { createMcpGate } from './mcp/createMcpGate.ts'
import { readMcpSettings } from './mcp/readMcpSettings.ts'
import { runStdioGate } from './mcp/runStdioGate.ts'
import packageFile from './package.json' with { type: 'json' }
import type { CommonSettings } from './settings/gateSettings.ts'
import { readSettings } from './settings/readSettings.ts'
import { SettingsError } from './settings/settingsError.ts'
import { SETTINGS } from './settings/settingTable.ts'
import { type Gate, startGate } from './startGate.ts'

const USAGE = `Lets agents through to a server, as the agent registry decides.

  svc-gate --upstream http://127.0.0.1:8080 --endpoint SVCE-… --api https://registry.example/api
  svc-gate --forward-auth headers --endpoint SVCE-… --api https://registry.example/api
  svc-gate mcp --upstream http://127.0.0.1:9000/mcp --endpoint SVCE-… --api https://registry.example/api
  svc-gate mcp --endpoint SVCE-… --api https://registry.example/api -- npx some-mcp-server

Each setting is a flag, an environment variable, or a line of the YAML file that --config names:

${Object.entries(SETTINGS)
  .map(
    ([name, { variable, meaning, isFlag }]) =>
      `  ${(isFlag ? `--${name}` : '').padEnd(20)} ${variable.padEnd(26)} ${meaning}`,
  )
  .join('\n')}

--version prints the version.
`

const EXIT_WRONG_SETTINGS = 2

/**
 * Runs the gate until it is asked to stop; returns its exit code: 0 stopped, 1 could not start, 2 wrong settings, such as a
 * key that does not own the endpoint. Before a command, it ends with the command and returns its code.
 */
export async function runGate(process: NodeJS.Process): Promise<number> {
  const warn = (message: string) => void process.stderr.write(`${message}\n`)
  const [first, ...others] = process.argv.slice(2)
  if (first === '--version') {
    process.stdout.write(`${packageFile.version}\n`)
    return 0
  }
  try {
    const run = first === 'mcp' ? await runMcp(others, process, warn) : await runProxy(process, warn)
    if (run === null) process.stdout.write(USAGE)
    return run ?? 0
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error))
    if (error instanceof SettingsError) warn('Try "svc-gate --help".')
    return error instanceof SettingsError ? EXIT_WRONG_SETTINGS : 1
  }
}

type Warn = (message: string) => void

/** Null if the help is asked for. */
async function runProxy(process: NodeJS.Process, warn: Warn): Promise<number | null> {
  const settings = readSettings({ args: process.argv.slice(2), env: process.env })
  if (settings === null) return null
  const fault = await checkRegistry(settings.gateway, warn)
  if (fault !== null) {
    warn(fault)
    return EXIT_WRONG_SETTINGS
  }
  const { upstream } = settings
  const purpose = upstream === null ? 'answers proxies' : `guards ${upstream.origin}`
  return serve(process, createGate(settings, warn), settings, purpose)
}

async function runMcp(args: readonly string[], process: NodeJS.Process, warn: Warn): Promise<number | null> {
  const settings = readMcpSettings({ args, env: process.env })
  if (settings === null) return null
  const fault = await checkRegistry(settings.gateway, warn)
  if (fault !== null) {
    warn(fault)
    return EXIT_WRONG_SETTINGS
  }
  const { server } = settings
  if (server instanceof URL) {
    return serve(
      process,
      createMcpGate(server, settings, warn),
      settings,
      `guards the tools of ${server.href}`,
    )
  }
  const stopping = new AbortController()
  void waitForSignal(process).then(() => stopping.abort())
  const { stdin: input, stdout: output, env } = process
  return runStdioGate(server, settings, { input, output, env, signal: stopping.signal }, warn)
}

async function serve(
  process: NodeJS.Process,
  created: Gate,
  settings: CommonSettings,
  purpose: string,
): Promise<number> {
  const gate = await startGate(created, settings)
  process.stdout.write(`svc-gate ${purpose} as ${settings.gateway.counterpartyId}: ${gate.url}\n`)
  await waitForSignal(process)
  await gate.stop()
  return 0
}

function waitForSignal(process: NodeJS.Process): Promise<unknown> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve)
  })
}
