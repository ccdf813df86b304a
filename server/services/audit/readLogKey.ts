import type { NoteSigner } from '../../external/noteSigner.ts'
import { logOrigin } from './logOrigin.ts'

export type ReadLogKeyDeps = { signer: NoteSigner; publicUrl: string; logId: () => Promise<string> }

/** The public side of the key that signs checkpoints. */
export type LogKey = {
  /** First line of the log's checkpoints, and the name of its key. */
  origin: string
  /** Name, key id and key, as tools for signed notes take it. */
  verifierKey: string
  /** The same key in PEM. */
  publicKeyPem: string
}

/** The key that checkpoints of this log are signed with. Source: C2SP signed-note. */
export async function readLogKey({ signer, publicUrl, logId }: ReadLogKeyDeps): Promise<LogKey> {
  const origin = logOrigin(publicUrl, await logId())
  return { origin, verifierKey: signer.verifierKey(origin), publicKeyPem: signer.publicKeyPem() }
}
