import { readSettings } from '../../api/readSettings.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'

/** Changes settings of an endpoint, which can be undone. `onDone` is called once they are saved. */
export function useEndpointChange(id: string, onDone?: () => void) {
  return useApiMutation('PUT /api/endpoints/:id', {
    invalidates: [['GET /api/endpoints/:id', { id }], 'GET /api/endpoints'],
    undo: {
      read: () => readSettings('GET /api/endpoints/:id', { params: { id } }, ({ endpoint }) => endpoint),
      settingsOf: ({ endpoint }) => endpoint,
    },
    ...(onDone && { onDone }),
  })
}
