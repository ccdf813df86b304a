import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MirrorHost, runMirrorCommand } from '../../../scripts/mirror/runMirrorCommand.ts'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../server/external/keys/readEd25519Key.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { openNodeProxy } from '../../harness/chain/openNodeProxy.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { serveAuditLog } from '../../harness/service/serveAuditLog.ts'

type Line = { level: string } & Record<string, unknown>

/** Opens a log of seven records that a service serves, and a second chain with a contract that a mirror deployed. */
export async function openMirrorScene() {
  const folder = createTemporaryFolder()
  const file = (name: string) => join(folder.path, name)
  const signer = createNoteSigner(readEd25519Key(file('audit-log-key.json')))
  const log = await openAnchoredLog()
  await log.anchorRecords(3)
  await log.anchorRecords(4)
  const service = await serveAuditLog(log, signer)
  const second = await takeChain()
  const node = await openNodeProxy(second.url)

  async function run(args: string[], host: Partial<MirrorHost> = {}) {
    const lines: Line[] = []
    const notes: string[] = []
    const code = await runMirrorCommand(['--rpc', node.url, '--confirmations', '1', ...args], {
      out: (line) => void lines.push(JSON.parse(line)),
      err: (line) => void notes.push(line),
      read: (name) => readFileSync(name, 'utf8'),
      now: Date.now,
      signal: new AbortController().signal,
      env: { MIRROR_PRIVATE_KEY: LOCAL_CHAIN_KEY },
      pause: async () => undefined,
      ...host,
    })
    return { code, lines, notes: notes.join('\n') }
  }

  const deployed = await run(['--deploy'])
  const contract = String(deployed.lines[0]?.contract)
  const own = ['--contract', contract, '--service', service.url]
  return {
    ...{ log, service, signer, node, second, deployed, contract, file, run },
    /** Looks once, and returns the exit code and what was printed. */
    look: (...args: string[]) => run([...own, '--once', ...args]),
    /** Looks until the signal of the host. */
    follow: (host: Partial<MirrorHost>, ...args: string[]) => run([...own, ...args], host),
    /** Opens a log with the same key and id, whose first record differs. */
    async fork(records: number) {
      const forked = await openAnchoredLog()
      await forked.append([buildNumberedRecord(500)])
      await forked.anchorRecords(records - 1)
      return forked
    },
    async close() {
      await service.stop()
      node.close()
      await second.stop()
      await log.close()
      folder.remove()
    },
  }
}
