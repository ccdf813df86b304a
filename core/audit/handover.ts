import { NOTE_CHARACTERS_MAX, type NoteSignature, parseNoteSignature } from './checkpoint.ts'

/** What a log's key says about its successor: it signs checkpoints of the same origin from a point in time. */
export type Handover = {
  readonly origin: string
  /** The successor: name, key id and key. */
  readonly verifierKey: string
  /** ISO 8601 in UTC. */
  readonly signsFrom: string
}

const TITLE = 'key hand-over'

/** Writes the text that the former key of a log signs. Its second line is no number, unlike that of a checkpoint. */
export function writeHandoverText({ origin, verifierKey, signsFrom }: Handover): string {
  return `${origin}\n${TITLE}\n${verifierKey}\n${signsFrom}\n`
}

/**
 * Parses a hand-over; null for anything else, and for anything longer than `NOTE_CHARACTERS_MAX`. It is not trusted until
 * the former key's signature confirms it.
 */
export function parseHandover(note: string): (Handover & { text: string; signature: NoteSignature }) | null {
  if (note.length > NOTE_CHARACTERS_MAX) return null
  const match =
    /^([^\s+]{1,1000})\nkey hand-over\n(\S{1,2000})\n(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)\n\n(\u2014 [^\s+]+ [A-Za-z0-9+/=]+)\n$/u.exec(
      note,
    )
  if (match === null) return null
  const [origin, verifierKey, signsFrom, line] = match.slice(1) as [string, string, string, string]
  const signature = parseNoteSignature(line)
  if (signature === null) return null
  const handover = { origin, verifierKey, signsFrom }
  return { ...handover, text: writeHandoverText(handover), signature }
}
