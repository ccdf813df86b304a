import { type AgentDraft, EMPTY_DRAFT } from './agentDraft.ts'

const KEY = 'svc.agentDraft'

/** The wizard's draft, as long as the tab is open: going back in the browser must not lose it. Nothing in it is secret. */
export const draftMemory = {
  read(): AgentDraft {
    try {
      return { ...EMPTY_DRAFT, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<AgentDraft>) }
    } catch {
      return EMPTY_DRAFT
    }
  },

  write: (draft: AgentDraft): void => sessionStorage.setItem(KEY, JSON.stringify(draft)),

  forget: (): void => sessionStorage.removeItem(KEY),
}
