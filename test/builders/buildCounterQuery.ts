import type { CounterQuery } from '../../server/store/recorder/recorder.ts'

/** Builds a query that reads no counter except the given ones. */
export const buildCounterQuery = (fields: Partial<CounterQuery>): CounterQuery => ({
  agentId: 'SVC-0000000000000000000001',
  endpointId: '00000000-0000-7000-8000-000000000001',
  since: 0,
  agentScope: null,
  endpointScope: null,
  ancestorScopes: [],
  countAgentSubAgents: false,
  countEndpointSubAgents: false,
  window: null,
  pendingAt: null,
  now: 0,
  spend: null,
  standing: null,
  ...fields,
})
