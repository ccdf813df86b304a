import { strFromU8, unzipSync } from 'fflate'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, openOwnerScene } from '../approvals/openOwnerScene.ts'

type Caller = Pick<Owner, 'call' | 'download'>

/** An owner scene whose people export their data. */
export async function openExportScene() {
  const scene = await openOwnerScene()

  /** Requests an export and waits until it is ready. */
  async function prepare({ call }: Pick<Caller, 'call'>) {
    await call('POST', '/api/me/export')
    return waitUntil(async () => {
      const { dataExport } = (await call('GET', '/api/me')).body
      return dataExport?.status === 'ready' ? dataExport : null
    })
  }
  /** Downloads and unpacks an export: the parsed content of each file, by its name. */
  async function open({ download }: Pick<Caller, 'download'>, headers: Record<string, string> = {}) {
    const { bytes } = await download('/api/me/export', headers)
    const files = Object.entries(unzipSync(bytes)).map(
      ([name, content]) => [name, strFromU8(content)] as const,
    )
    return {
      text: files.map(([, text]) => text).join('\n'),
      files: Object.fromEntries(files.map(([name, text]) => [name, JSON.parse(text)])),
    }
  }
  return { ...scene, prepare, open }
}
