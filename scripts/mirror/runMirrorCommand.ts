import { once } from 'node:events'
import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { EXIT } from '../../cli/exitCodes.ts'
import { listLogs, openLog } from '../../cli/monitor/listLogs.ts'
import { openMonitoredService, Unchecked } from '../../cli/monitor/openMonitoredService.ts'
import type { Terminal } from '../../cli/terminal/terminal.ts'
import { UsageError } from '../../cli/terminal/usageError.ts'
import { ApiError } from '../../server/errors.ts'
import { type Mirrored, mirrorLog } from './mirrorLog.ts'
import { type MirrorChain, openMirrorChain } from './openMirrorChain.ts'
import { type MirrorArguments, type MirrorNode, parseMirrorArguments } from './parseMirrorArguments.ts'

/** What the mirror needs besides its arguments. */
export type MirrorHost = Pick<Terminal, 'out' | 'err' | 'read' | 'now' | 'signal'> & {
  env: Readonly<Record<string, string | undefined>>
  pause(ms: number, signal: AbortSignal): Promise<void>
}

type MirrorInput = Extract<MirrorArguments, { kind: 'mirror' }>
type Exit = (typeof EXIT)['done' | 'negative' | 'unusable']

/** How much of an obstacle, which contains words of the service, is printed. */
const NOTE_CHARACTERS_MAX = 1_000

/**
 * Mirrors the logs of a service until the signal, or once.
 *
 * The signal does not wait for a transaction, which may take minutes: the next start finds on chain what became of it.
 *
 * @returns 0 if every log is mirrored, 1 if one must not be, and 2 if something could not be done. The signal ends it with 1
 *   in that case and otherwise with 0, but with 2 if all of it was to be done once.
 * @throws UsageError for a mistake in the arguments or the key.
 */
export async function runMirrorCommand(args: readonly string[], host: MirrorHost): Promise<number> {
  const input = parseMirrorArguments(args)
  const chain = openMirrorChain({ ...input, account: readAccount(input, host), random: Math.random })
  const stop = (): Exit => {
    host.err('Stopped before it was done. A transaction may be under way.')
    return EXIT.unusable
  }
  if (input.kind === 'deploy') return (await untilStopped(() => deploy(chain, host), host.signal)) ?? stop()
  const shown = new Map<string, string>()
  let isRefused = false
  while (!host.signal.aborted) {
    const exit = await untilStopped(() => lookOnce(input, { chain, host, shown }), host.signal)
    if (input.once) return exit ?? stop()
    if (exit !== null) isRefused = exit === EXIT.negative
    await host.pause(input.everyMs, host.signal)
  }
  return isRefused ? EXIT.negative : EXIT.done
}

/** Does some work; null if the signal came first. */
async function untilStopped<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | null> {
  if (signal.aborted) return null
  const done = new AbortController()
  const stopped = once(signal, 'abort', { signal: done.signal }).then(
    () => null,
    () => null,
  )
  try {
    return await Promise.race([work(), stopped])
  } finally {
    done.abort()
  }
}

async function deploy(chain: MirrorChain, host: MirrorHost): Promise<Exit> {
  try {
    const chainId = await chain.readChainId()
    writeLine(host, 'deployed', { chainId, contract: await chain.deploy(), account: chain.account })
    return EXIT.done
  } catch (error) {
    host.err(`Not deployed: ${describe(error)}.`)
    return EXIT.unusable
  }
}

function readAccount({ keyFile }: MirrorNode, { env, read }: MirrorHost): LocalAccount {
  const name = keyFile ?? 'MIRROR_PRIVATE_KEY'
  const text = keyFile === null ? (env.MIRROR_PRIVATE_KEY ?? '') : readKeyFile(keyFile, read)
  if (text === '') throw new UsageError('the private key is missing: set MIRROR_PRIVATE_KEY, or --key-file')
  try {
    return privateKeyToAccount(text as `0x${string}`)
  } catch {
    // Without its cause, which may show the key.
    throw new UsageError(`${name} must hold a private key: 0x and 64 hexadecimal digits`)
  }
}

function readKeyFile(file: string, read: MirrorHost['read']): string {
  try {
    return read(file).trim()
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, { cause })
  }
}

type Run = {
  chain: MirrorChain
  host: MirrorHost
  /** The alert that was last printed of each log, so that one which lasts is printed once. */
  shown: Map<string, string>
}

async function lookOnce(input: MirrorInput, { chain, host, shown }: Run): Promise<Exit> {
  const service = openMonitoredService(input.service, null, host.signal)
  let exit: Exit = EXIT.done
  const attempt = async <Result>(
    logId: string | null,
    work: () => Promise<Result>,
  ): Promise<Result | null> => {
    try {
      return await work()
    } catch (error) {
      if (host.signal.aborted) return null
      const why = escapeForTerminal(describe(error)).slice(0, NOTE_CHARACTERS_MAX)
      host.err(`Not mirrored${logId === null ? '' : `, ${logId}`}: ${why}.`)
      if (exit === EXIT.done) exit = EXIT.unusable
      return null
    }
  }
  const named = await attempt(null, async () => {
    if (!(await chain.isAuditLog(input.contract)))
      throw new Error(`${input.contract} on chain ${await chain.readChainId()} is not an audit log`)
    return await listLogs(service)
  })
  if (named === null) return exit
  const wanted = new Set(input.logIds ?? [...named, ...input.logKeys.keys()])
  for (const logId of wanted) {
    const mirrored = await attempt(logId, async () => {
      const number = named.indexOf(logId)
      if (number < 0) throw new Unchecked('the service does not name this log')
      const logKey = input.logKeys.get(logId) ?? null
      return await mirrorLog({
        ...{ logId, service: openLog(service, number), chain, contract: input.contract, logKey },
      })
    })
    if (mirrored === null) continue
    report(logId, mirrored, { chain, host, shown })
    if (mirrored.kind === 'refused') exit = EXIT.negative
  }
  return exit
}

function report(logId: string, mirrored: Mirrored, { chain, host, shown }: Run): void {
  if (mirrored.kind === 'extended') {
    const { size, root, receipt } = mirrored
    const place = { transaction: receipt.hash, block: receipt.block }
    writeLine(host, 'extended', { log: logId, mirror: chain.idOf(logId), size, root, ...place })
  }
  if (mirrored.kind !== 'refused') {
    shown.delete(logId)
    return
  }
  const { findings } = mirrored
  const texts = findings.map(({ text }) => text).join('\n')
  if (shown.get(logId) === texts) return
  shown.set(logId, texts)
  for (const { id, text, evidence } of findings)
    writeLine(host, 'alert', { log: logId, finding: id, message: text, evidence })
}

function describe(error: unknown): string {
  if (error instanceof ApiError && error.code === 'CHAIN_UNAVAILABLE')
    return `the node of the second chain: ${error.detail ?? error.message}`
  return error instanceof Error ? error.message : String(error)
}

function writeLine(host: MirrorHost, level: string, fields: object): void {
  host.out(JSON.stringify({ level, time: new Date(host.now()).toISOString(), ...fields }))
}
