import type { CounterQuery } from '../../server/store/recorder/recorder.ts'

/** What an outcome asks of the counters: nothing but what is given. */
export const buildCounterQuery = (asked: Partial<CounterQuery>): CounterQuery => ({
  agentId: 'SVC-0000000000000000000001',
  endpointId: '00000000-0000-7000-8000-000000000001',
  since: 0,
  agentScope: null,
  endpointScope: null,
  countAgentSubAgents: false,
  countEndpointSubAgents: false,
  spendPeriod: null,
  ...asked,
})
