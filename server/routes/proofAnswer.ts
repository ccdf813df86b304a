import { proofDocument } from '@svc/core/audit/proofDocument.ts'
import { z } from 'zod'

/** Schema of an answer that is a proof document. Source: onchain.md "What an auditor gets". */
export const proofAnswer = proofDocument.extend({ success: z.literal(true) })
