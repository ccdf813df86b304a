import { Button, Paper, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { announcement, type Notice } from '../parts/announce.ts'
import { Icon } from '../parts/Icon.tsx'
import classes from './Announcement.module.css'

/** Where notices appear; always in the page, because screen readers follow only a region that they know. */
export function Announcement() {
  const notice = useSyncExternalStore(announcement.subscribe, announcement.read)
  return (
    <div role="status" aria-live="polite" className={classes.place}>
      {notice !== null && <Shown notice={notice} />}
    </div>
  )
}

function Shown({ notice: { text, undo } }: { notice: Notice }) {
  return (
    <Paper
      withBorder
      shadow="md"
      px="md"
      py="xs"
      className={classes.notice}
      onFocus={announcement.hold}
      onMouseEnter={announcement.hold}
      onBlur={announcement.release}
      onMouseLeave={announcement.release}
    >
      <Icon name="check" size={16} />
      <Text size="sm" fw={550}>
        {text}
      </Text>
      {undo !== null && (
        <Button size="compact-sm" variant="subtle" className={classes.undo} onClick={undo}>
          Undo
        </Button>
      )}
    </Paper>
  )
}
