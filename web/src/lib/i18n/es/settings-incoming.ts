import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'Última lectura de cada contador. Se actualiza cada 2 s.',
  search: 'Buscar contadores',
  columns: {
    meter: 'Contador',
    measured: 'Medido',
    lag: 'Retraso',
    arrived: 'Recibido',
    sender: 'Clave de API',
  },
  verdicts: { accepted: 'Guardada', known: 'Duplicado', rejected: 'Rechazada' },
  ahead: '{duration} de adelanto',
  body: 'Petición completa',
  noExternalId: 'Sin identificador externo',
  administrator: 'Sesión de usuario',
  create: 'Crear este equipo',
  createNamed: 'Crear este equipo: {externalId}',
  since: 'Equipo creado. La próxima lectura se guardará.',
  emptyTitle: 'Sin lecturas en las últimas 24 horas',
  emptyText: 'Las lecturas aparecen aquí cuando una pasarela las envía con una clave de API.',
  key: {
    openNamed: 'Peticiones con {name}',
    title: 'Peticiones con {name}',
    period: 'Últimas 24 horas',
    deliveries: 'Peticiones',
    accepted: 'Guardadas',
    known: 'Duplicados',
    rejected: 'Rechazadas',
    problems: 'Filas rechazadas',
    problemsHint: 'La última por identificador externo y campo',
    noneTitle: 'Sin filas rechazadas',
    noneText: 'Se aceptaron todas las filas.',
    nothingTitle: 'Sin peticiones',
    nothingText: 'Las peticiones con claves no válidas no se cuentan.',
  },
};
