import { Paper, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { announcement } from '../parts/announce.ts'
import { Icon } from '../parts/Icon.tsx'
import classes from './Announcement.module.css'

/** Where notices appear; always in the page, because screen readers follow only a region that they know. */
export function Announcement() {
  const text = useSyncExternalStore(announcement.subscribe, announcement.read)
  return (
    <div role="status" aria-live="polite" className={classes.place}>
      {text !== null && (
        <Paper withBorder shadow="md" px="md" py="xs" className={classes.notice}>
          <Icon name="check" size={16} />
          <Text size="sm" fw={550}>
            {text}
          </Text>
        </Paper>
      )}
    </div>
  )
}
