import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Buscar …',
  ctrl: 'Ctrl',
  title: 'Búsqueda y comandos',
  placeholder: '¿Qué busca?',
  found: 'Resultados',
  nothing: 'Sin resultados',
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
    everywhere: 'Globales',
    palette: 'Búsqueda y comandos',
    list: 'Mostrar atajos',
    onChart: 'En un gráfico',
    walk: 'Valor anterior o siguiente',
    walkFast: 'Saltar 10 valores',
    ends: 'Primer y último valor',
    zoom: 'Acercar y alejar',
    unzoom: 'Restablecer zoom',
    singleKeys: 'Atajos de una tecla',
    singleKeysHint: 'Desactívelo para usar solo los atajos con Ctrl/⌘.',
  },
};
