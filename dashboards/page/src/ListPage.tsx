import { Box, Button, Card, CardActionArea, Skeleton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ListedDashboard, ToolUser } from '../../../shared/dashboard-tool.ts';
import { listDashboards } from './api.ts';
import { Message } from './Message.tsx';
import { format } from './reader.ts';
import { fill, texts } from './texts.ts';
import { useToolUser } from './tool-user.ts';

const NewDashboard = lazy(() => import('./NewDashboard.tsx').then((module) => ({ default: module.NewDashboard })));

const threeLines = {
  display: '-webkit-box',
  overflow: 'hidden',
  WebkitLineClamp: 3,
  WebkitBoxOrient: 'vertical',
} as const;

export function ListPage(opened: { isNew?: boolean }) {
  const user = useToolUser();
  const [isNew, setIsNew] = useState(opened.isNew === true && user.canEdit);
  const { data, error } = useQuery({ queryKey: ['dashboards'], queryFn: listDashboards });
  if (error !== null && data === undefined) return <Message error={error} />;
  return (
    <Box component="main" sx={{ maxWidth: 1100, mx: 'auto', px: { xs: 2, sm: 3 }, py: 3 }}>
      <Stack direction="row" alignItems="center" justifyContent="space-between" gap={2} mb={2}>
        <Typography variant="h1">{texts.dashboards}</Typography>
        {user.canEdit && (
          <Button variant="contained" onClick={() => setIsNew(true)}>
            {texts.newDashboard}
          </Button>
        )}
      </Stack>
      {data === undefined && <Skeleton variant="rounded" height={88} />}
      {data?.length === 0 && <Typography color="text.secondary">{texts.none}</Typography>}
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          p: 0,
          m: 0,
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: { sm: '1fr 1fr', md: '1fr 1fr 1fr' },
        }}
      >
        {data?.map((dashboard) => (
          <Card key={dashboard.name} component="li" variant="outlined">
            <CardActionArea component={Link} to={`/dashboards/${dashboard.name}`} sx={{ p: 2, height: '100%' }}>
              <Typography variant="h3" component="h2" gutterBottom>
                {dashboard.title}
              </Typography>
              {dashboard.description !== undefined && (
                <Typography variant="body2" gutterBottom sx={threeLines}>
                  {dashboard.description}
                </Typography>
              )}
              <Typography variant="body2" color="text.secondary">
                {stateOf(dashboard, user)}
              </Typography>
            </CardActionArea>
          </Card>
        ))}
      </Box>
      {isNew && (
        <Suspense>
          <NewDashboard onClose={() => setIsNew(false)} />
        </Suspense>
      )}
    </Box>
  );
}

function stateOf({ updatedAt, updatedBy, isProvisioned, version }: ListedDashboard, { timeZone }: ToolUser): string {
  if (updatedAt === null || updatedBy === null) return isProvisioned ? texts.shipped : fill(texts.version, { version });
  return fill(texts.savedBy, { name: updatedBy, time: format.dateTime(updatedAt, timeZone) });
}
