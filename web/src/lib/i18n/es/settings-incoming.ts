import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'La última fila de cada contador según llega, guardada o rechazada. Se renueva cada dos segundos.',
  search: 'Buscar contadores',
  columns: {
    meter: 'Contador',
    measured: 'Medido',
    lag: 'En camino',
    arrived: 'Llegó',
    sender: 'Enviado con',
  },
  verdicts: { accepted: 'Guardada', known: 'Ya conocida', rejected: 'Rechazada' },
  ahead: '{duration} de adelanto',
  body: 'Una petición entera',
  noExternalId: 'Sin identificador externo',
  administrator: 'Sesión iniciada',
  create: 'Crear este equipo',
  createNamed: 'Crear este equipo: {externalId}',
  since: 'El equipo ya existe; la próxima fila se guarda.',
  emptyTitle: 'No ha llegado nada en 24 horas',
  emptyText: 'En cuanto una pasarela envíe con una clave de API, sus filas aparecerán aquí.',
  key: {
    openNamed: 'Entregas de {name}',
    title: 'Entregas con {name}',
    period: 'En las últimas 24 horas.',
    deliveries: 'Entregas',
    accepted: 'Guardadas',
    known: 'Ya conocidas',
    rejected: 'Rechazadas',
    problems: 'Filas rechazadas',
    problemsHint: 'La última de cada identificador externo y campo.',
    noneTitle: 'No se rechazó nada',
    noneText: 'Se aceptaron todas las filas llegadas con esta clave.',
    nothingTitle: 'No llegó nada con esta clave',
    nothingText: 'Una petición con una clave errónea o revocada se rechaza y no cuenta en ningún sitio.',
  },
};
