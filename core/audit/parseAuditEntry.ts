import { z } from 'zod'
import { type AuditEntryFields, auditEntry } from './auditEntry.ts'

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)

const schema = z.strictObject({
  version: z.literal(1),
  seq: z.int().min(0),
  type: z.string().min(1),
  recordId: z.string().min(1),
  agentId: z.string().nullable(),
  endpointId: z.string().nullable(),
  sessionId: z.string().min(1).optional(),
  correlationId: z.string().min(1).optional(),
  decision: z.enum(['grant', 'deny', 'step_up_required', 'audit']).nullable(),
  dimensions: z.array(z.string()),
  inputsHash: hash,
  policyHashes: z.strictObject({ agent: hash.nullable(), endpoint: hash.nullable() }),
  time: z.iso.datetime({ precision: 3 }),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  subject: z.record(z.string(), z.string()).optional(),
})

type Parsed =
  | { readonly ok: true; readonly entry: AuditEntryFields }
  | { readonly ok: false; readonly reason: string }

/**
 * The fields of an audit entry out of its text, for whoever checks the log.
 *
 * Strict: an unknown member, a duplicate name or any spelling but the canonical one is refused, because two
 * texts with one meaning would be two leaves.
 *
 * Source: onchain.md "The audit log"; RFC 8785.
 */
export function parseAuditEntry(text: string): Parsed {
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
  if (entry.sessionId && entry.correlationId) return { ok: false, reason: 'the entry has two correlations' }
  if (textOf(entry) !== text) return { ok: false, reason: 'the entry is not canonical JSON' }
  return { ok: true, entry }
}

/** What the log would have written; null for what it never writes, a lone surrogate in some string. */
function textOf(entry: AuditEntryFields): string | null {
  try {
    return auditEntry(entry)
  } catch {
    return null
  }
}
