import { decodeBase64, decodeHex, encodeBase64, encodeHex } from '../bytes.ts'
import { canonicaliseJson } from '../canonicaliseJson.ts'
import { isJsonObject, parseJsonBytes } from '../json.ts'
import { type Checkpoint, findLineEndFault, NOTE_CHARACTERS_MAX, parseCheckpoint } from './checkpoint.ts'
import { hashLeaf } from './merkleHash.ts'
import { type ProofDocument, proofDocument } from './proofDocument.ts'

/** The first line of every proof in this format. */
export const TLOG_PROOF_HEADER = 'c2sp.org/tlog-proof@v1'

/** The longest proof that is parsed: the longest entry, twice in base64, and the longest checkpoint fit in. */
const PROOF_CHARACTERS_MAX = 262_144

/**
 * Writes a proof document in the text format of transparency-log tools.
 *
 * The format has no fields for the entry, which is the leaf, nor for the position of the root on the chain. Both are in the
 * extra line, as canonical JSON. The format does not authenticate that line; the leaf hash and the chain do.
 *
 * @param checkpoint The signed checkpoint of the document's size and root.
 * Source: C2SP tlog-proof "Format"; docs/auditing.md.
 */
export function writeTlogProof(document: ProofDocument, checkpoint: string): string {
  const { entry, batch, logId, chainId, transactionHash, blockNumber } = document
  // A single spelling, so that a proof has only one text.
  const contract = document.contract.toLowerCase()
  const extra = canonicaliseJson({ entry, batch, logId, chainId, contract, transactionHash, blockNumber })
  return [
    TLOG_PROOF_HEADER,
    `extra ${btoa(extra)}`,
    `index ${document.index}`,
    ...document.inclusionProof.map((hash) => encodeBase64(decodeHex(hash))),
    '',
    checkpoint,
  ].join('\n')
}

type Parsed =
  | { readonly ok: true; readonly document: ProofDocument; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly reason: string }

/**
 * Parses a proof that `writeTlogProof` wrote into its document and its checkpoint.
 *
 * The leaf hash is computed from the entry in the extra line. Only the exact text that `writeTlogProof` writes is accepted,
 * so that nothing in the file goes unchecked.
 *
 * Source: C2SP tlog-proof "Format".
 */
export function parseTlogProof(text: string): Parsed {
  if (text.length > PROOF_CHARACTERS_MAX)
    return refuse(`it is longer than ${PROOF_CHARACTERS_MAX} characters`)
  const fault = findLineEndFault(text)
  if (fault !== null) return refuse(fault)
  const blank = text.indexOf('\n\n')
  if (blank < 0) return refuse('it has no checkpoint')
  const note = text.slice(blank + 2)
  if (note.length > NOTE_CHARACTERS_MAX)
    return refuse(`its checkpoint is longer than ${NOTE_CHARACTERS_MAX} characters`)
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null) return refuse('its checkpoint is not of the form that the log writes')
  const [header, extraLine = '', indexLine = '', ...hashes] = text.slice(0, blank).split('\n')
  if (header !== TLOG_PROOF_HEADER) return refuse(`its first line is not ${TLOG_PROOF_HEADER}`)

  const extraBytes = decodeBase64(extraLine.replace(/^extra /, ''))
  const extra = extraBytes === null ? undefined : parseJsonBytes(extraBytes)
  if (!isJsonObject(extra)) return refuse('its second line is not "extra" and a JSON object in base64')
  const entry = typeof extra.entry === 'string' ? decodeBase64(extra.entry) : null
  const path = hashes.map(decodeBase64)
  const parsed = proofDocument.safeParse({
    ...extra,
    leafHash: entry === null ? undefined : encodeHex(hashLeaf(entry)),
    index: /^index (0|[1-9]\d*)$/.test(indexLine) ? Number(indexLine.slice(6)) : undefined,
    treeSize: checkpoint.size,
    inclusionProof: path.map((bytes) => (bytes === null ? undefined : encodeHex(bytes))),
    root: checkpoint.root,
  })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return refuse(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  if (writeTlogProof(parsed.data, note) !== text) return refuse('it is not written as the log writes it')
  return { ok: true, document: parsed.data, checkpoint }
}

function refuse(reason: string): Parsed {
  return { ok: false, reason }
}
