import { z } from 'zod'
import { RECOMMENDATIONS, type Recommendation } from '../access/decision.ts'
import { IDENTITY_PROOFS, type IdentityProof } from '../access/identityProof.ts'
import { canonicaliseJson } from '../canonicaliseJson.ts'

/** The fields of one record of the audit log. Hashes are `0x` and lower-case hexadecimal digits. */
export type AuditEntryFields = {
  /** Index of the leaf in the log, from 0; only in entries of version 1, since later ones are written without it. */
  readonly seq?: number
  /** Event type, such as `verification.completed`. */
  readonly type: string
  readonly recordId: string
  readonly agentId: string | null
  readonly endpointId: string | null
  /** Set for a verified request only, and never together with `correlationId`. */
  readonly sessionId?: string | null
  /** Set for an anonymous request only. */
  readonly correlationId?: string | null
  /** The recommendation; null for a record that is not a verification. */
  readonly decision: Recommendation | null
  /** The failed dimensions, in the order of the response. */
  readonly dimensions: readonly string[]
  /** What the request proved of the agent's identity; set for a verification of a registered agent only. */
  readonly identityProof?: IdentityProof | null
  /** The salted hash of the inputs of the decision; see `hashInputs`. */
  readonly inputsHash: string
  /** SHA-256 of the payment mandate that the request presented. */
  readonly mandateHash?: string | null
  /** The hashes of the applied policy versions. */
  readonly policyHashes: { readonly agent: string | null; readonly endpoint: string | null }
  /** SHA-256 of the receipt that was issued for the decision; see `hashReceipt`. */
  readonly receiptHash?: string | null
  /** ISO 8601 UTC with milliseconds. */
  readonly time: string
  /** 16 random bytes as 32 hexadecimal digits. */
  readonly salt: string
  /** The subject of a record that is not a verification, such as the hash of a registration file. */
  readonly subject?: Readonly<Record<string, string>> | null
}

/**
 * Writes an audit entry as canonical JSON, whose UTF-8 bytes are a leaf of the log.
 *
 * An entry without a sequence number is of version 2, the one that the log writes: a record is durable before it has its
 * place, and the place is what its Merkle proof proves. One with a number is of version 1, which older logs contain.
 *
 * An entry contains identifiers, hashes and names of dimensions, and no personal data. The salt keeps the leaf hash from
 * being guessed. Every request writes an entry, so the members are listed in canonical order here and written by
 * `JSON.stringify`, which gives the same text as `canonicaliseJson` and is faster.
 *
 * @throws Error for an impossible entry: a sequence number that is not an integer, both a session and a correlation, or a
 *   lone surrogate.
 *
 * Source: docs/auditing.md; RFC 8785; Spec: Events.
 */
export function writeAuditEntry(fields: AuditEntryFields): string {
  const { seq, sessionId, correlationId, subject } = fields
  if (seq !== undefined && (!Number.isSafeInteger(seq) || seq < 0))
    throw new Error(`audit entry: ${seq} is not a sequence number`)
  if (sessionId && correlationId)
    throw new Error(`audit entry ${fields.recordId}: both a session and a correlation`)
  const text = JSON.stringify({
    agentId: fields.agentId,
    correlationId: correlationId || undefined,
    decision: fields.decision,
    dimensions: fields.dimensions,
    endpointId: fields.endpointId,
    identityProof: fields.identityProof ?? undefined,
    inputsHash: fields.inputsHash,
    mandateHash: fields.mandateHash ?? undefined,
    policyHashes: { agent: fields.policyHashes.agent, endpoint: fields.policyHashes.endpoint },
    receiptHash: fields.receiptHash ?? undefined,
    recordId: fields.recordId,
    salt: fields.salt,
    seq,
    sessionId: sessionId || undefined,
    time: fields.time,
    type: fields.type,
    version: seq === undefined ? 2 : 1,
  })
  // The names in a subject need sorting. `canonicaliseJson` refuses a lone surrogate, which is written as \udXXX here.
  if (subject || text.includes('\\ud'))
    return canonicaliseJson({ ...JSON.parse(text), ...(subject && { subject }) })
  return text
}

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)

const members = {
  type: z.string().min(1),
  recordId: z.string().min(1),
  agentId: z.string().nullable(),
  endpointId: z.string().nullable(),
  sessionId: z.string().min(1).optional(),
  correlationId: z.string().min(1).optional(),
  decision: z.enum(RECOMMENDATIONS).nullable(),
  dimensions: z.array(z.string()),
  identityProof: z.enum(IDENTITY_PROOFS).optional(),
  inputsHash: hash,
  mandateHash: hash.optional(),
  policyHashes: z.strictObject({ agent: hash.nullable(), endpoint: hash.nullable() }),
  receiptHash: hash.optional(),
  time: z.iso.datetime({ precision: 3 }),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  subject: z.record(z.string(), z.string()).optional(),
}

const schema = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), seq: z.int().min(0), ...members }),
  z.strictObject({ version: z.literal(2), ...members }),
])

type Parsed =
  | { readonly ok: true; readonly entry: AuditEntryFields }
  | { readonly ok: false; readonly reason: string }

/** The longest entry that is parsed: the log writes entries of about a thousand characters. */
const ENTRY_CHARACTERS_MAX = 65_536

/**
 * Parses an audit entry, for auditors of the log.
 *
 * An unknown member, a duplicate name and any text that is not canonical are refused, because two texts with the same
 * meaning would be two leaves. So is an entry that is too long, because its author may want to exhaust the auditor.
 *
 * Source: docs/auditing.md; RFC 8785.
 */
export function parseAuditEntry(text: string): Parsed {
  if (text.length > ENTRY_CHARACTERS_MAX)
    return { ok: false, reason: `the entry is longer than ${ENTRY_CHARACTERS_MAX} characters` }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'the entry is not JSON' }
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' }
    return { ok: false, reason: `the entry is not an audit entry: ${path.join('.')}: ${message}` }
  }
  const { version: _, ...entry } = parsed.data
  if (entry.sessionId && entry.correlationId) {
    return { ok: false, reason: 'the entry has both a session and a correlation' }
  }
  if (textOf(entry) !== text) return { ok: false, reason: 'the entry is not canonical JSON' }
  return { ok: true, entry }
}

/** The text that the log writes for an entry; null for one that it never writes, with a lone surrogate in a string. */
function textOf(entry: AuditEntryFields): string | null {
  try {
    return writeAuditEntry(entry)
  } catch {
    return null
  }
}
