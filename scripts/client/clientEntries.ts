/** The modules of the client library that its users import, each a file of `client`. */
export const CLIENT_ENTRIES = [
  'index',
  'express',
  'fastify',
  'fetch',
  'webhooks',
  'receipts',
  'reuse',
  'node',
  'policy',
  'yaml',
  'ai',
  'langchain',
  'openai-agents',
  'mastra',
  'mcp',
  'a2a',
] as const
