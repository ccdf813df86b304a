import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: C2SP signed-note "Ed25519 signatures". */
export const getAuditKey: Operation = {
  summary: 'Publishes the key that checkpoints of the audit log are signed with.',
  answer: z.object({
    success: z.literal(true),
    origin: z.string(),
    verifierKey: z.string(),
    publicKeyPem: z.string(),
  }),
  errors: [],
  handle: (services) => async () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { success: true, ...(await services.audit.readLogKey()) },
  }),
}
