import { readSettings } from '../../api/readSettings.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'

/** Changes settings of an agent, with a fresh passkey assertion, and offers to undo it. */
export function useSettingsChange(svcId: string) {
  const call = { params: { id: svcId } }
  return useApiMutation('PUT /api/agents/:id/settings', {
    invalidates: [['GET /api/agents/:id/settings', { id: svcId }]],
    undo: {
      read: () => readSettings('GET /api/agents/:id/settings', call, (answer) => answer),
      settingsOf: (answer) => answer,
    },
  })
}
