import { allowlistEntrySchema } from '@svc/core/access/allowlist.ts'
import { z } from 'zod'

/** An allowlist entry in answers. Source: `Spec: Allowlist entry`. */
export const allowlistEntryAnswer = allowlistEntrySchema.extend({ id: z.uuid(), createdAt: z.string() })
