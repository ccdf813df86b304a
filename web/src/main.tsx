import '@mantine/core/styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { ApiFailure } from './api/apiFailure.ts'
import { clearWithSession } from './api/clearWithSession.ts'
import { cssVariablesResolver, theme } from './theme.ts'

// The content security policy allows no code from text, which zod would otherwise try. Source: zod, `jitless`.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const REPEATS_MAX = 2

/** Only what may pass by itself is asked again: no answer at all, or a service that is busy. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < REPEATS_MAX && error instanceof ApiFailure && (error.status === 0 || error.status === 503)
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRepeating,
      staleTime: 5_000,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // What is sent while offline fails at once; held back, it would be done when nobody wants it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
})
clearWithSession(queries)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      deduplicateInlineStyles
    >
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
