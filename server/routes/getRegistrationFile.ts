import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Agents"; onchain.md "Registration file"; EIP-8004. */
export const getRegistrationFile: Operation = {
  summary: 'Serves the file that an agent’s token URI points to, byte for byte what the chain commits to.',
  answer: z.looseObject({ type: z.string(), name: z.string(), svcId: z.string() }),
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => ({
    body: await services.agents.registrationFile({ svcId: call.params.svcId ?? '' }),
    contentType: 'application/json; charset=utf-8',
    // Token URIs are read by pages of any origin.
    headers: { 'Access-Control-Allow-Origin': '*' },
  }),
}
