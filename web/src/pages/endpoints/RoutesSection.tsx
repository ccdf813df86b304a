import { ActionIcon, Alert, Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import { useState } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useApiMutation, useRefetch } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import { Section } from '../../parts/Section.tsx'

type Route = Endpoint['routes'][number]

const METHODS = ['*', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const LEVELS = ['none', 'restricted', 'read-only', 'standard', 'full', 'internal']

/** Routes as they are edited, and those they were made from. */
type Draft = { routes: readonly Route[]; from: readonly Route[] }

/**
 * The least access level that each path takes, for gateways of the client library. Spec: Client library contract.
 *
 * Saving replaces them all. So they are read once more before, and where somebody else has changed them meanwhile, whoever
 * saves is told first: a gate of a colleague must not be opened unseen.
 */
export function RoutesSection({ endpoint, isFixed }: { endpoint: Endpoint; isFixed: boolean }) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const readAgain = useRefetch<{ endpoint: Endpoint }>(path)
  const change = useApiMutation({ invalidates: [path, '/api/endpoints'], onDone: () => setDraft(null) })
  const routes = draft?.routes ?? endpoint.routes
  const isChanged = !isSameJson(routes, endpoint.routes)
  const isOvertaken = draft !== null && isChanged && !isSameJson(draft.from, endpoint.routes)
  const setRoutes = (next: readonly Route[]) => setDraft({ from: endpoint.routes, ...draft, routes: next })
  const save = async () => {
    const now = (await readAgain())?.endpoint ?? endpoint
    if (isSameJson(now.routes, endpoint.routes)) change.mutate({ method: 'PUT', path, body: { routes } })
  }
  const isValid = routes.every(({ pattern }) => problemOf(pattern) === null)
  const set = (at: number, fields: Partial<Route>) =>
    setRoutes(routes.map((route, index) => (index === at ? { ...route, ...fields } : route)))
  return (
    <Section
      title="Routes"
      description="The access level that a path takes at least. Gateways of the client library read them; every route that matches a request has to be satisfied."
    >
      {routes.length === 0 && <Text c="dimmed">No route asks for more than the recommendation.</Text>}
      <Stack gap="xs">
        {routes.map((route, at) => (
          <RouteRow
            // biome-ignore lint/suspicious/noArrayIndexKey: routes have no name of their own and move only by removal
            key={at}
            {...{ route, at, isFixed }}
            onChange={(fields) => set(at, fields)}
            onRemove={() => setRoutes(routes.filter((_, index) => index !== at))}
          />
        ))}
      </Stack>
      <FailureNote error={change.error} />
      {isOvertaken && (
        <Alert color="orange" icon={<Icon name="warning" />} title="Somebody changed the routes meanwhile">
          Now they are: {endpoint.routes.map(routeInWords).join('; ') || 'none'}. Saving puts yours in their
          place; discard yours to see them.
        </Alert>
      )}
      {!isFixed && (
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() =>
              setRoutes([...routes, { pattern: '/**', method: '*', minAccessLevel: 'standard' }])
            }
          >
            Add a route
          </Button>
          {isChanged && (
            <>
              <Button loading={change.isPending} disabled={!isValid} onClick={() => void save()}>
                Save routes
              </Button>
              <Button variant="subtle" onClick={() => setDraft(null)}>
                Discard
              </Button>
            </>
          )}
        </Group>
      )}
    </Section>
  )
}

function routeInWords({ method = '*', pattern, minAccessLevel }: Route): string {
  return `${method === '*' ? 'any method' : method} ${pattern} from ${minAccessLevel}`
}

type RowProps = {
  route: Route
  at: number
  isFixed: boolean
  onChange: (fields: Partial<Route>) => void
  onRemove: () => void
}

function RouteRow({ route, at, isFixed, onChange, onRemove }: RowProps) {
  const number = at + 1
  return (
    <Paper withBorder p="xs" component="fieldset" aria-label={`Route ${number}`} m={0} disabled={isFixed}>
      <Group gap="xs" align="flex-start">
        <NativeSelect
          aria-label={`Method of route ${number}`}
          data={METHODS.map((value) => ({ value, label: value === '*' ? 'Any method' : value }))}
          value={route.method ?? '*'}
          onChange={(event) => onChange({ method: event.currentTarget.value })}
          w={150}
        />
        <TextInput
          aria-label={`Pattern of route ${number}`}
          value={route.pattern}
          error={problemOf(route.pattern)}
          onChange={(event) => onChange({ pattern: event.currentTarget.value })}
          style={{ flex: '1 1 160px' }}
          ff="monospace"
        />
        <NativeSelect
          aria-label={`Least level of route ${number}`}
          data={LEVELS}
          value={route.minAccessLevel}
          onChange={(event) => onChange({ minAccessLevel: event.currentTarget.value })}
          w={150}
        />
        {!isFixed && (
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            onClick={onRemove}
            aria-label={`Remove route ${number}`}
          >
            <Icon name="cross" size={16} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  )
}

function problemOf(pattern: string): string | null {
  const parsed = parseGlob(pattern)
  return parsed.ok ? null : `This glob ${parsed.problem}.`
}
