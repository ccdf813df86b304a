import { z } from 'zod'

/** The name of an agent or an endpoint, kept as it was written. Source: api.md "Envelope". */
export const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/\S/, 'expected more than white space')
  .regex(/^\P{Cc}*$/u, 'holds a control character')
