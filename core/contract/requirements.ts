import { z } from 'zod'
import { REQUIRABLE_FACTS } from '../access/facts.ts'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'

/** Schemas of what the parties of a request can require of it. */
export const requirementSchemas = {
  requiredFacts: z
    .array(z.enum(REQUIRABLE_FACTS))
    .max(REQUIRABLE_FACTS.length)
    .describe('What every request has to state; one that leaves it out is denied on its dimension'),
  minIdentityProof: z
    .enum(IDENTITY_PROOFS)
    .describe(
      'What a request has to prove of the identity of its agent. One that proves less is denied; at an endpoint, so is one that names no agent',
    ),
} as const
