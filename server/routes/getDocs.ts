import { z } from 'zod'
import type { Operation } from './operation.ts'
import { referencePage } from './referencePage.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getDocs: Operation = {
  summary: 'Shows the reference of every operation as a page.',
  mediaType: 'text/html',
  answer: z.string(),
  errors: [],
  handle: (services) => {
    return () => ({
      body: referencePage(services.openApi()),
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" },
    })
  },
}
