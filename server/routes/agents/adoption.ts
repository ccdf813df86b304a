import {
  adoptionOperations,
  postAgentAdoptBody,
  postAgentAdoptStatementBody,
} from '@svc/core/contract/adoption.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ViewAgentDeps, viewAgent } from '../../services/agents/viewAgent.ts'
import { type AdoptAgentDeps, adoptAgent } from '../../services/foreign/adoptAgent.ts'
import { type OpenAdoptionDeps, openAdoption } from '../../services/foreign/openAdoption.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'
import { readAgentRegistration } from './readAgentRegistration.ts'

/** Source: docs/foreign-agents.md. */
export const postAgentAdoptStatement = operation({
  summary: 'Reads an agent of another registry, and returns what its owner signs to have it adopted.',
  body: adoptionOperations['POST /api/agents/adopt/statement'].body,
  answer: adoptionOperations['POST /api/agents/adopt/statement'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'ORGANIZATION_SUSPENDED', 'CHAIN_UNAVAILABLE'],
  waitsForHost: 'check',
  handle: (parts: { adoption: OpenAdoptionDeps }) => async (call) => {
    const input = parseInput(postAgentAdoptStatementBody, call.body)
    const principal = callerOf(call, 'session')
    const { now, waitForHost } = call
    const opened = await openAdoption(parts.adoption, { ...input, principal, now, waitForHost })
    return { body: { success: true, ...opened } }
  },
})

/** Source: docs/foreign-agents.md. */
export const postAgentAdopt = operation({
  summary:
    'Adopts an agent of another registry, whose token stays there, by a signature of the token’s owner.',
  body: adoptionOperations['POST /api/agents/adopt'].body,
  status: 201,
  answer: adoptionOperations['POST /api/agents/adopt'].answer,
  errors: [
    'VALIDATION_ERROR',
    'FORBIDDEN',
    'ORGANIZATION_SUSPENDED',
    'KEY_TAKEN',
    'RATE_LIMITED',
    'CHAIN_UNAVAILABLE',
  ],
  repeatable: true,
  waitsForHost: 'check',
  handle: (parts: { adoption: AdoptAgentDeps; agents: ViewAgentDeps }) => async (call) => {
    const { keyProofs, name, ...adoption } = parseInput(postAgentAdoptBody, call.body)
    const { token, organizationId, expiresAt, signature } = adoption
    const described = readAgentRegistration({ ...(call.body as object), name: name ?? token })
    const { ip, now, once, waitForHost } = call
    const agent = await adoptAgent(parts.adoption, {
      ...{ token, organizationId, expiresAt, signature, keyProofs: keyProofs ?? [] },
      ...{ ip, now, once, waitForHost },
      registration: { ...described, name },
      principal: callerOf(call, 'session'),
    })
    return {
      status: 201,
      body: { success: true, agent: await viewAgent(parts.agents, agent, { viewer: 'owner', now }) },
    }
  },
})
