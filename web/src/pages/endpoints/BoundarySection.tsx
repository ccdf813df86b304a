import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Boundary, Endpoint } from '../../api/types.ts'
import { useApiMutation, useRefetch } from '../../api/useApiMutation.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import { findBoundaryProblems } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'

/** The boundary of an endpoint, and its change, which takes a fresh passkey. Spec: Authentication 6. */
export function BoundarySection({ endpoint, isFixed }: { endpoint: Endpoint; isFixed: boolean }) {
  const [isEditing, setEditing] = useState(false)
  return (
    <Section
      title="Boundary"
      description="What any agent may do here at most (PDLSS). Agent and endpoint both have to allow; the tighter rule holds."
      right={
        !isFixed &&
        !isEditing && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            Change the boundary
          </Button>
        )
      }
    >
      {isEditing ? (
        <Editing endpoint={endpoint} onClose={() => setEditing(false)} />
      ) : (
        <BoundaryView boundary={endpoint.pdlss} />
      )}
    </Section>
  )
}

/** Saving replaces the whole boundary, so that what a colleague has made of it meanwhile is shown before. */
function Editing({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [boundary, setBoundary] = useState<Boundary>(endpoint.pdlss)
  const [from] = useState(endpoint.pdlss)
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const change = useApiMutation({ invalidates: [path, '/api/endpoints'], onDone: onClose })
  const readAgain = useRefetch<{ endpoint: Endpoint }>(path)
  const isOvertaken = !isSameJson(from, endpoint.pdlss)
  const save = async () => {
    const now = (await readAgain())?.endpoint ?? endpoint
    if (isSameJson(now.pdlss, endpoint.pdlss))
      change.mutate({ method: 'PUT', path, body: { pdlss: boundary } })
  }
  const isValid = findBoundaryProblems(boundary, 'endpoint').length === 0
  return (
    <Stack>
      <PdlssEditor side="endpoint" boundary={boundary} onChange={setBoundary} />
      {!isValid && (
        <Text size="sm" c="red" role="status">
          Something above is not right yet; the field says what.
        </Text>
      )}
      <FailureNote error={change.error} />
      {isOvertaken && (
        <Alert
          color="orange"
          icon={<Icon name="warning" />}
          title="Somebody changed the boundary meanwhile. Saving puts yours in its place; now it is:"
        >
          <BoundaryView boundary={endpoint.pdlss} />
        </Alert>
      )}
      <Group>
        <Button
          leftSection={<Icon name="passkey" size={16} />}
          loading={change.isPending}
          disabled={!isValid}
          onClick={() => void save()}
        >
          Save the boundary
        </Button>
        <Button variant="default" onClick={onClose}>
          Discard changes
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Saving asks for your passkey. The new boundary holds from the next request on.
      </Text>
    </Stack>
  )
}
