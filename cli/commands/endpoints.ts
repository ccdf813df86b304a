import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { listCommand } from './listCommand.ts'

/** `svc endpoints`. */
export const endpoints = listCommand<Endpoint>({
  name: 'endpoints',
  path: '/endpoints',
  columns: {
    id: ({ svceId, id }) => svceId ?? id,
    status: ({ status }) => status,
    tier: ({ verificationTier }) => verificationTier,
    name: ({ name }) => name,
    url: ({ counterpartyUrl }) => counterpartyUrl,
  },
})
