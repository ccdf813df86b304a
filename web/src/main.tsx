import './mantine.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { followSession } from './api/followSession.ts'
import { isUnreachable } from './api/isUnreachable.ts'
import { guardEscape } from './pages/signIn/guardEscape.ts'
import { cssVariablesResolver, theme } from './theme.ts'

// The content security policy forbids `eval`, which zod would otherwise use. Source: zod, `jitless`.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const RETRIES_MAX = 2

/** Retries only transient failures: no response at all, or an overloaded service. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < RETRIES_MAX && isUnreachable(error)
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      staleTime: 5_000,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // An offline change fails immediately; queued, it would be sent when no longer expected.
    mutations: { retry: false, networkMode: 'always' },
  },
})
followSession(queries)
guardEscape()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
document.getElementById('starting')?.remove()
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    deduplicateInlineStyles
  >
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </MantineProvider>,
)
