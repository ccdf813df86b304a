import { isJsonObject } from '../json/isJsonObject.ts'
import { jsonOfBytes } from '../json/jsonOfBytes.ts'
import { bytesOfBase64 } from './bytesOfBase64.ts'
import { hexOfBytes } from './hexOfBytes.ts'
import { leafHash } from './leafHash.ts'
import { type Checkpoint, parseCheckpoint } from './parseCheckpoint.ts'
import { type ProofDocument, proofDocument } from './proofDocument.ts'
import { TLOG_PROOF_HEADER, tlogProof } from './tlogProof.ts'

type Parsed =
  | { readonly ok: true; readonly document: ProofDocument; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a proof of ours in the text form of transparency logs back into a proof document and its checkpoint.
 *
 * The leaf hash is that of the entry in the extra line. Only the exact bytes that `tlogProof` writes are taken, so that
 * nothing in the file goes unchecked.
 *
 * Source: C2SP tlog-proof "Format".
 */
export function parseTlogProof(text: string): Parsed {
  const blank = text.indexOf('\n\n')
  if (blank < 0) return refused('it has no checkpoint')
  const note = text.slice(blank + 2)
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null) return refused('its checkpoint is not of the form that the log writes')
  const [header, extraLine = '', indexLine = '', ...hashes] = text.slice(0, blank).split('\n')
  if (header !== TLOG_PROOF_HEADER) return refused(`its first line is not ${TLOG_PROOF_HEADER}`)

  const extraBytes = bytesOfBase64(extraLine.replace(/^extra /, ''))
  const extra = extraBytes === null ? undefined : jsonOfBytes(extraBytes)
  if (!isJsonObject(extra)) return refused('its second line is not "extra" and a JSON object in base64')
  const entry = typeof extra.entry === 'string' ? bytesOfBase64(extra.entry) : null
  const path = hashes.map(bytesOfBase64)
  const parsed = proofDocument.safeParse({
    ...extra,
    leafHash: entry === null ? undefined : hexOfBytes(leafHash(entry)),
    index: /^index (0|[1-9]\d*)$/.test(indexLine) ? Number(indexLine.slice(6)) : undefined,
    treeSize: checkpoint.size,
    inclusionProof: path.map((bytes) => (bytes === null ? undefined : hexOfBytes(bytes))),
    root: checkpoint.root,
  })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return refused(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  if (tlogProof(parsed.data, note) !== text) return refused('it is not written as the log writes it')
  return { ok: true, document: parsed.data, checkpoint }
}

function refused(reason: string): Parsed {
  return { ok: false, reason }
}
