import { type AgentStore, createAgentStore } from '../store/agents/agentStore.ts'
import { type AgentTraceStore, createAgentTraceStore } from '../store/agents/agentTraceStore.ts'
import { type ReadFrom, readFrom } from '../store/database/connections/readFrom.ts'
import { createEndpointStore, type EndpointStore } from '../store/endpoints/endpointStore.ts'

/**
 * The stores of agents and endpoints for what people ask: lists and searches are read from a replica if there is one, and
 * everything else as in the given stores.
 */
export function composeLists(
  read: ReadFrom,
  { agents, endpoints }: { agents: AgentStore; endpoints: EndpointStore },
): { agents: AgentStore & AgentTraceStore; endpoints: EndpointStore } {
  return {
    agents: {
      ...agents,
      ...readFrom(read, createAgentStore, ['listByOwners', 'namesByOwners']),
      ...readFrom(read, createAgentTraceStore, ['withKey', 'tracesByOwners']),
    },
    endpoints: { ...endpoints, ...readFrom(read, createEndpointStore, ['listByOwners', 'namesByOwners']) },
  }
}
