import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { createReusingGateway } from '@svc/client/reuse.ts'
import { createAgentProof } from './createAgentProof.ts'
import { createStdioRelay } from './createStdioRelay.ts'
import type { McpSettings, ServerCommand } from './mcpSettings.ts'
import { readLines } from './readLines.ts'

/** The streams of the client, and the environment of the command. */
export type StdioClient = {
  input: Readable
  output: Writable
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when the gate is to end. */
  signal: AbortSignal
}

/** Of one message of the server, whose results may be large. */
const SERVER_BYTES_MAX = 268_435_456
/** In any case, as Windows reads them. */
const FOR_THE_GATE = /^SVC_(?:API_KEY|AGENT_|GATE_)/i

/**
 * Runs an MCP server as a command, and relays between its standard input and output and the client's.
 *
 * The command's environment has neither the API key nor the agent's. It ends with the client's input, and the gate with the
 * command: requests that it has not answered get an error. A process that the command leaves behind can have its output
 * open; what that writes is read for `graceMs`.
 *
 * @returns The exit code of the command; 1 if it could not be started or was ended by a signal.
 */
export async function runStdioGate(
  server: ServerCommand,
  settings: McpSettings,
  { input, output, env, signal }: StdioClient,
  warn: (message: string) => void,
): Promise<number> {
  const { counterpartyId = '' } = settings.gateway
  const prove = await createAgentProof(server, counterpartyId)
  const gateway = createReusingGateway({ ...settings.gateway, disableInitChecks: true, warn })
  const child = spawn(server.command, server.args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !FOR_THE_GATE.test(name))),
  })
  const ended = waitForEnd(child)
  signal.addEventListener('abort', () => child.kill(), { once: true })
  child.stdin.on('error', () => undefined)
  const relay = createStdioRelay({
    ...{ gateway, rules: settings.rules, agentId: server.agentId, prove, timeoutMs: settings.responseMs },
    toServer: (line) => write(child.stdin, line),
    toClient: (line) => write(output, line),
  })
  const fromClient = relayClient(input, settings.messageBytesMax, relay).finally(() => child.stdin.end())
  const fromServer = relayServer(child.stdout, relay)
  const { code, problem } = await ended
  const timer = setTimeout(() => child.stdout.destroy(), settings.graceMs)
  await fromServer.catch(() => undefined)
  clearTimeout(timer)
  // The client may keep its side open after the server has ended.
  input.destroy()
  await fromClient.catch(() => undefined)
  if (problem !== undefined) warn(`${server.command} cannot be run: ${problem}`)
  await relay.fail()
  await gateway.settle().catch((error) => warn(`uses of grants could not be reported: ${error}`))
  return code
}

type Relay = ReturnType<typeof createStdioRelay>

async function relayClient(input: StdioClient['input'], bytesMax: number, relay: Relay): Promise<void> {
  for await (const line of readLines(input, bytesMax)) await relay.readClient(line)
  await relay.settled()
}

async function relayServer(output: Readable, relay: Relay): Promise<void> {
  for await (const line of readLines(output, SERVER_BYTES_MAX)) await relay.readServer(line)
}

async function waitForEnd(
  child: ChildProcessByStdio<Writable, Readable, null>,
): Promise<{ code: number; problem?: string }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, problem: error.message }))
    child.once('exit', (code) => resolve({ code: code ?? 1 }))
  })
}

async function write(stream: Writable, line: string | Buffer): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return
  stream.write(line)
  if (!stream.write('\n'))
    await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined)
}
