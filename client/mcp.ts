export { createFetch, type SendingAgent, type ToolRequest } from './tools/createFetch.ts'
export {
  type CallerOptions,
  type CallingAgent,
  type CallOptions,
  createToolCaller,
  type RefusedCall,
  type ToolCall,
  type ToolClient,
} from './tools/createToolCaller.ts'
export { type Refusal, RefusedError } from './tools/refusedError.ts'
