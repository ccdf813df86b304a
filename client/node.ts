export { openAgentKey } from './agent/openAgentKey.ts'
