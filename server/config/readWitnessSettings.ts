import { type NoteVerifierKey, parseNoteVerifierKey } from '@svc/core/audit/verifierKey.ts'
import { splitEntries } from './splitEntries.ts'

/** A witness of the audit log. */
export type Witness = {
  /** Name and key id: `witness.example/w1+0a1b2c3d`. */
  id: string
  key: NoteVerifierKey
  /** The submission prefix, without a slash at its end. */
  url: string
}

/** A checkpoint has at most 16 signatures, and several may be the log's own. */
const WITNESSES_MAX = 12

/**
 * Reads the witnesses from their setting: entries of a verifier key and a submission prefix, `KEY URL`, separated by commas
 * or line breaks. A line that begins with `#` is a comment.
 *
 * @throws Error that says which entry is wrong, and why.
 * Source: C2SP tlog-witness "HTTP Interface"; C2SP tlog-cosignature "Format".
 */
export function readWitnessSettings(text: string, allowPrivateNetwork: boolean): Witness[] {
  const witnesses = splitEntries(text).map((entry, i) => readWitness(entry, i + 1, allowPrivateNetwork))
  const keys = new Set(witnesses.map(({ key }) => Buffer.from(key.publicKey).toString('hex')))
  if (keys.size < witnesses.length) throw new Error('Setting WITNESSES: two witnesses have the same key')
  if (witnesses.length > WITNESSES_MAX) {
    throw new Error(`Setting WITNESSES: expected at most ${WITNESSES_MAX} witnesses, got ${witnesses.length}`)
  }
  return witnesses
}

function readWitness(entry: string, number: number, allowPrivateNetwork: boolean): Witness {
  const refuse = (reason: string): never => {
    throw new Error(`Setting WITNESSES: entry ${number} ${reason}`)
  }
  const [keyText = '', address = '', ...rest] = entry.split(/\s+/)
  if (address === '' || rest.length > 0) return refuse('is not "KEY URL"')
  const key = parseNoteVerifierKey(keyText)
  if (key === 'malformed') return refuse('does not begin with a verifier key: name+id+base64')
  if (key === 'wrong_id') return refuse('has a verifier key whose id does not match its name and key')
  if (key.type !== 'cosignature') return refuse('has the key of a log; the type of the key of a witness is 4')
  const protocol = URL.canParse(address) ? new URL(address).protocol : null
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivateNetwork)) {
    return refuse(`has no ${allowPrivateNetwork ? 'HTTP or HTTPS' : 'HTTPS'} address`)
  }
  return { id: `${key.name}+${key.keyId.slice(2)}`, key, url: address.replace(/\/+$/, '') }
}
