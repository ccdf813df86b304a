import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { useState } from 'react'
import { useRefetch } from '../../api/useApiMutation.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import type { Boundary } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'
import { useEndpointChange } from './useEndpointChange.ts'

/** Shows the boundary of an endpoint and changes it, with a fresh passkey assertion. Spec: Authentication 6. */
export function BoundarySection({ endpoint, isReadOnly }: { endpoint: Endpoint; isReadOnly: boolean }) {
  const [isEditing, setEditing] = useState(false)
  return (
    <Section
      title="Boundary"
      description="The most that any agent may do here (PDLSS). A request must satisfy both this boundary and the agent’s own."
      right={
        !isReadOnly &&
        !isEditing && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            Change boundary
          </Button>
        )
      }
    >
      {isEditing ? (
        <Editor endpoint={endpoint} onClose={() => setEditing(false)} />
      ) : (
        <BoundaryView boundary={endpoint.pdlss} side="endpoint" />
      )}
    </Section>
  )
}

/** Edits the boundary. Saving replaces it as a whole, so a concurrent change by a colleague is shown first. */
function Editor({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [boundary, setBoundary] = useState<Boundary>(endpoint.pdlss)
  const [original] = useState(endpoint.pdlss)
  const id = endpoint.svceId ?? endpoint.id
  const change = useEndpointChange(id, onClose)
  const refetch = useRefetch('GET /api/endpoints/:id', { params: { id } })
  useLeaveGuard(!isSameJson(original, boundary))
  const isOutdated = !isSameJson(original, endpoint.pdlss)
  const parsed = parsePdlss(boundary, 'endpoint')
  const save = async () => {
    const latest = (await refetch())?.endpoint ?? endpoint
    if (parsed.ok && isSameJson(latest.pdlss, endpoint.pdlss))
      change.mutate({ params: { id }, body: { pdlss: parsed.pdlss } })
  }
  return (
    <Stack>
      <PdlssEditor side="endpoint" boundary={boundary} onChange={setBoundary} />
      {!parsed.ok && (
        <Text size="sm" c="red" role="status">
          Some fields above are not valid.
        </Text>
      )}
      <FailureNote error={change.error} />
      {isOutdated && (
        <Alert
          color="orange"
          icon={<Icon name="warning" />}
          title="Someone has changed the boundary in the meantime. Saving will replace this version:"
        >
          <BoundaryView boundary={endpoint.pdlss} side="endpoint" />
        </Alert>
      )}
      <Group>
        <Button
          leftSection={<Icon name="passkey" size={16} />}
          loading={change.isPending}
          disabled={!parsed.ok}
          onClick={() => void save()}
        >
          Save boundary
        </Button>
        <Button variant="default" onClick={onClose}>
          Discard changes
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Saving requires your passkey. The new boundary applies from the next request.
      </Text>
    </Stack>
  )
}
