import { postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import { patchAgentBody } from '@svc/core/contract/agents.ts'
import { postEndpointClaimBody, postEndpointsBody, putEndpointBody } from '@svc/core/contract/endpoints.ts'
import { postOrganizationsBody } from '@svc/core/contract/organizations.ts'
import { postRequestRegistrationBody } from '@svc/core/contract/registrationRequests.ts'
import { fieldErrorsOf } from '@svc/core/fieldErrors.ts'
import { expect } from 'chai'
import type { z } from 'zod'

/** Every way in which a name of an agent, an endpoint or an organisation enters, and the rest of the body. */
const ENTRIES: [what: string, schema: z.ZodType<object>, rest: object, member?: string][] = [
  ['a registration of an agent', postAgentsRegisterBody, {}],
  ['a change of an agent', patchAgentBody, {}],
  ['a request to an owner', postRequestRegistrationBody, { ownerEmail: 'ada@acme.io' }, 'agentName'],
  ['a registration of an endpoint', postEndpointsBody, { counterpartyUrl: 'https://acme.io' }],
  ['a change of an endpoint', putEndpointBody, {}],
  ['a claim of an endpoint', postEndpointClaimBody, {}],
  ['a new organisation', postOrganizationsBody, {}],
]

describe('the name in', () => {
  for (const [what, schema, rest, member = 'name'] of ENTRIES) {
    const parse = (name: string) => schema.safeParse({ ...rest, [member]: name })

    it(`${what} is stored in NFC`, () => {
      expect(parse('Zoe\u0308 S\u0323\u0307hop').data).to.include({ [member]: 'Zo\u00eb \u1e68hop' })
    })

    it(`${what} is refused with a sentence if it could be taken for another one`, () => {
      for (const [name, code, sentence] of [
        ['раураl', 'mixed_scripts', 'mixes characters of Cyrillic and Latin scripts'],
        ['Shop\u202eton', 'invisible_character', 'contains U+202E'],
        ['Ａmazon', 'compatibility_character', 'contains U+FF21'],
      ] as const) {
        const { error } = parse(name)
        const [fault] = error ? fieldErrorsOf(error) : []
        expect(fault).to.include({ pointer: `/${member}`, code })
        expect(fault?.message).to.contain(sentence)
      }
    })
  }
})
