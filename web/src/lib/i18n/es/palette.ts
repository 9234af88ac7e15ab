import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Buscar …',
  ctrl: 'Ctrl',
  title: 'Búsqueda y comandos',
  placeholder: '¿Qué busca?',
  found: 'Resultados',
  nothing: 'Nada se llama así.',
  count: '{count, plural, one {# resultado} other {# resultados}}',
  kinds: {
    page: 'Páginas',
    action: 'Acciones',
    site: 'Sedes',
    device: 'Equipos',
    customer: 'Clientes',
    board: 'Paneles',
  },
  actions: {
    site: 'Nueva sede',
    import: 'Importar sedes y equipos',
    key: 'Nueva clave de API',
    customer: 'Nuevo cliente',
    user: 'Nuevo usuario',
    board: 'Añadir un panel integrado',
  },
  shortcuts: {
    title: 'Atajos de teclado',
    everywhere: 'En todas partes',
    palette: 'Búsqueda y comandos',
    list: 'Esta lista',
    onChart: 'En un gráfico',
    walk: 'De un valor a otro',
    walkFast: 'Diez valores cada vez',
    ends: 'Primer y último valor',
    zoom: 'Acercar y alejar',
    unzoom: 'Mostrar todo de nuevo',
    singleKeys: 'Atajos de una sola letra o signo',
    singleKeysHint: 'Sin ellos solo funcionan los que llevan Ctrl o ⌘.',
  },
};
