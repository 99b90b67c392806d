/* SPDX-License-Identifier: BSD-3-Clause */
/* html_style.c - the style sheet and the script of an HTML report. */
#include "report/html.h"

/*
 * Colours have names by what they are for, once for light and once for dark
 * pages. Each pair of colours that must be told apart differs in lightness or
 * in pattern too, for those who do not see the difference in hue.
 */
#define COLOURS_LIGHT                                                          \
	"--page:#fff;--text:#1b1f24;--faint:#57606a;--rule:#cdd4db;"           \
	"--card:#f3f5f7;--link:#0550ae;--lane:#f1f4f6;--grid:#d5dae0;"         \
	"--program:#4e90c8;--program-edge:#2f6fa5;--on-program:#000f1c;"       \
	"--runtime:#5d3d92;--on-runtime:#fff;"                                 \
	"--stripe1:#7cc7b8;--stripe2:#2b7f70;"                                 \
	"--chosen:#b84300;--on-chosen:#fff;"                                   \
	"--unknown:#858f9a;--tracer:#b56a94;--stop:#a05f00;"                   \
	"--band:rgba(230,159,0,.24);--hatch:#5a6470;"                          \
	"--warning:#fff4d6"
#define COLOURS_DARK                                                           \
	"--page:#10151b;--text:#e6eaee;--faint:#a3adb8;--rule:#36404b;"        \
	"--card:#19212a;--link:#7cb7ff;--lane:#1d2630;--grid:#303b46;"         \
	"--program:#33759f;--program-edge:#5aa0d6;--on-program:#f2f8fd;"       \
	"--runtime:#b89ce0;--on-runtime:#1b0d2e;"                              \
	"--stripe1:#1f6a5e;--stripe2:#6fd0bd;"                                 \
	"--chosen:#ff8f45;--on-chosen:#1a0b00;"                                \
	"--unknown:#6b7682;--tracer:#c987ad;--stop:#f0b23c;"                   \
	"--band:rgba(240,178,60,.24);--hatch:#aab4bf;"                         \
	"--warning:#33290f"

#define SANS "system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif"
#define MONO "ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace"

/* Text and tables. */
#define STYLE_TEXT                                                             \
	"*{box-sizing:border-box}"                                             \
	"html{scroll-padding-top:8px}"                                         \
	"body{margin:0;background:var(--page);color:var(--text);"              \
	"font:15px/1.45 " SANS "}"                                             \
	"main{max-width:1240px;margin:auto;padding:16px 24px 40px}"            \
	"h1{font-size:26px;line-height:1.25;margin:6px 0 4px;"                 \
	"text-wrap:balance}"                                                   \
	"h1 .fn{color:var(--chosen)}"                                          \
	"h2{font-size:19px;margin:30px 0 4px}"                                 \
	"h3{font-size:14px;margin:16px 0 4px}"                                 \
	"h2,h3{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 6px}"    \
	"small,.where,.place{font-weight:400;font-size:13px;"                  \
	"color:var(--faint)}"                                                  \
	"small .fn{color:var(--text)}"                                         \
	"p{margin:4px 0}"                                                      \
	"a{color:var(--link)}"                                                 \
	"code{font:.93em/1.4 " MONO "}"                                        \
	".fn{overflow-wrap:anywhere;unicode-bidi:isolate}"                     \
	".place{overflow-wrap:anywhere;unicode-bidi:isolate}"                  \
	".num{white-space:nowrap;font-variant-numeric:tabular-nums}"           \
	".faint,.hint{color:var(--faint)}"                                     \
	".hint{max-width:90ch;font-size:14px}"                                 \
	".warning{background:var(--warning);padding:6px 10px;"                 \
	"border-radius:4px;margin-top:8px}"                                    \
	".about{display:flex;flex-wrap:wrap;gap:2px 16px;"                     \
	"color:var(--faint);font-size:14px}"                                   \
	".about b{color:var(--text);overflow-wrap:anywhere}"                   \
	"table{border-collapse:collapse;font-size:14px}"                       \
	"th{text-align:left;font-weight:500;color:var(--faint);"               \
	"border-bottom:1px solid var(--rule)}"                                 \
	"td,th{padding:3px 16px 3px 0;vertical-align:baseline}"                \
	"td:first-child{overflow-wrap:anywhere}"                               \
	".right{text-align:right}"                                             \
	".all td{border-top:1px solid var(--rule)}"                            \
	".wide-table{margin:8px 0 12px;overflow-x:auto}"                       \
	"footer{color:var(--faint);font-size:14px;margin-top:32px;"            \
	"border-top:1px solid var(--rule)}"                                    \
	"footer h2{color:var(--text)}"                                         \
	"footer p{max-width:100ch}"                                            \
	"footer code{white-space:nowrap}"

/* Cards, marks of works, bars. */
#define STYLE_CARDS                                                            \
	".cards{display:grid;gap:14px;margin-top:16px;"                        \
	"grid-template-columns:repeat(auto-fit,minmax(300px,1fr))}"            \
	".card{border:1px solid var(--rule);border-radius:8px;"                \
	"padding:10px 14px 12px;background:var(--card);min-width:0}"           \
	".card h2{margin:0;font-size:13px;color:var(--faint)}"                 \
	".card .big{font-size:19px;font-weight:600}"                           \
	".card table{width:100%}"                                              \
	".card td:last-child{padding-right:0}"                                 \
	".none{opacity:.6}"                                                    \
	".work{display:inline-flex;align-items:center;gap:5px;"                \
	"white-space:nowrap;font-size:13px}"                                   \
	".work i{width:11px;height:11px;border-radius:2px;"                    \
	"border:1px solid var(--faint)}"                                       \
	"i.program{background:var(--program)}"                                 \
	"i.runtime{background:var(--runtime)}"                                 \
	"i.unknown{background:var(--unknown)}"                                 \
	"i.tracer{background:var(--tracer)}"                                   \
	"i.syscall{background:repeating-linear-gradient(135deg,"               \
	"var(--stripe1) 0 3px,var(--stripe2) 3px 5px)}"                        \
	"i.scheduler,i.standing{background:repeating-linear-gradient("         \
	"45deg,var(--lane) 0 3px,var(--hatch) 3px 5px)}"                       \
	"i.stopping{background:var(--stop)}"                                   \
	"i.bound{background:repeating-linear-gradient(90deg,"                  \
	"var(--stop) 0 4px,transparent 4px 8px)}"                              \
	".meter{display:flex;height:12px;background:var(--lane);"              \
	"border-radius:2px;overflow:hidden}"                                   \
	".card .meter{height:16px;margin:8px 0;gap:1px}"                       \
	".card .meter i{min-width:2px}"                                        \
	".lengths{width:100%}"                                                 \
	".lengths :is(td,th):nth-child(-n+3){width:1%;white-space:nowrap}"     \
	".lengths div{display:flex;align-items:center;height:20px}"            \
	".lengths i{height:13px}"                                              \
	".lengths span{margin-left:6px;font-size:12.5px;"                      \
	"color:var(--faint)}"

/* Rows that open. */
#define STYLE_ROWS                                                             \
	".row{border:1px solid var(--rule);border-radius:6px;margin:6px 0}"    \
	".row[open]{border-color:var(--faint)}"                                \
	".row:target{outline:2px solid var(--link)}"                           \
	"summary{cursor:pointer;display:grid;gap:10px;"                        \
	"grid-template-columns:26px 84px 150px minmax(0,1fr) 132px 100px;"     \
	"align-items:center;padding:7px 12px;list-style:none}"                 \
	"summary::-webkit-details-marker{display:none}"                        \
	"summary:hover{background:var(--card)}"                                \
	":focus-visible{outline:2px solid var(--link);outline-offset:2px}"     \
	".rank{font-weight:700;color:var(--chosen)}"                           \
	".stop .rank{color:var(--stop)}"                                       \
	".length{text-align:right;font-weight:600;white-space:nowrap}"         \
	".what{min-width:0}"                                                   \
	".what small{margin-left:8px}"                                         \
	".where{text-align:right;white-space:nowrap}"                          \
	".body{padding:2px 14px 12px;border-top:1px solid var(--rule)}"        \
	".facts{display:flex;flex-wrap:wrap;gap:4px 28px;margin:8px 0 0}"      \
	".facts dt{color:var(--faint);font-size:12.5px}"                       \
	".facts dd{margin:0}"                                                  \
	".stacks{display:grid;gap:0 28px;"                                     \
	"grid-template-columns:minmax(0,1fr) minmax(0,1fr)}"                   \
	".stack{list-style:none;margin:0;padding:0;font-size:13.5px}"          \
	".stack li{padding:1px 0 1px 10px;overflow-wrap:anywhere;"             \
	"border-left:3px solid var(--rule)}"                                   \
	".stack .of-runtime{color:var(--faint)}"                               \
	".stack .named{border-left-color:var(--chosen)}"                       \
	".stack .named .fn{font-weight:700}"

/* Pictures. */
#define STYLE_PICTURES                                                         \
	".hidden{position:absolute;width:0;height:0}"                          \
	".picture{display:flex;margin:6px 0 2px;max-width:100%}"               \
	".names{flex:none}"                                                    \
	".scroll{flex:1;min-width:0;overflow-x:auto;overflow-y:hidden;"        \
	"border-left:1px solid var(--rule)}"                                   \
	".plot{display:block}"                                                 \
	"svg text{font:12px " SANS ";fill:var(--text)}"                        \
	".names .p{font-weight:600}"                                           \
	".names .own,.names .own .p{fill:var(--chosen);font-weight:600}"       \
	"svg .time,svg .moment{fill:var(--faint);font-size:11px}"              \
	".lane{fill:var(--lane)}"                                              \
	".missing{fill:var(--page);stroke:var(--faint);stroke-dasharray:2 3}"  \
	".grid{stroke:var(--grid)}"                                            \
	".bar{stroke-width:.7}"                                                \
	"svg .program{fill:var(--program);stroke:var(--program-edge)}"         \
	"svg .runtime{fill:var(--runtime);stroke:var(--runtime)}"              \
	"svg .syscall{fill:url(#stripes);stroke:var(--stripe2)}"               \
	"svg .unknown{fill:var(--unknown);stroke:var(--unknown)}"              \
	"svg .tracer{fill:var(--tracer);stroke:var(--tracer)}"                 \
	".others{fill:var(--unknown)}"                                         \
	"path.program,path.runtime,path.syscall,path.unknown,path.tracer{"     \
	"stroke:none!important}"                                               \
	".block{opacity:.6}"                                                   \
	"svg .chosen{fill:var(--chosen);stroke:var(--text);"                   \
	"stroke-width:1.2}"                                                    \
	".inner{overflow:hidden}"                                              \
	".mark{overflow:visible}"                                              \
	"svg .on-program{fill:var(--on-program)}"                              \
	"svg .on-runtime{fill:var(--on-runtime)}"                              \
	"svg .on-chosen{fill:var(--on-chosen);font-weight:600}"                \
	"svg .on-syscall,svg .out,svg .beside{paint-order:stroke;"             \
	"stroke:var(--page);stroke-width:3px}"                                 \
	"svg .beside{font-size:10.5px;font-weight:700;fill:var(--chosen)}"     \
	".stripe1{fill:var(--stripe1)}"                                        \
	".stripe2{fill:var(--stripe2)}"                                        \
	".hatched{fill:var(--hatch)}"                                          \
	".band{fill:var(--band)}"                                              \
	".stood{fill:url(#hatch)}"                                             \
	".stop-bar{fill:var(--stop)}"                                          \
	"svg .letter{fill:var(--stop);font-size:13px;font-weight:700}"         \
	"a:hover .letter,a:focus-visible .letter{"                             \
	"text-decoration:underline}"                                           \
	".requested{stroke:var(--stop);stroke-width:2;"                        \
	"stroke-dasharray:4 3}"                                                \
	".obtained{stroke:var(--stop);stroke-width:2}"                         \
	".ended{stroke:var(--hatch)}"                                          \
	".measure{stroke:var(--stop)}"                                         \
	"svg .measured{font-weight:700}"                                       \
	".gave-up{fill:var(--page);stroke:var(--text);stroke-width:1.5}"       \
	".gave-up.last{fill:var(--stop)}"                                      \
	".legend{list-style:none;display:flex;flex-wrap:wrap;"                 \
	"gap:2px 16px;margin:2px 0 0;padding:0;font-size:13px;"                \
	"color:var(--faint)}"                                                  \
	".legend li{display:flex;align-items:center;gap:6px}"                  \
	".buttons{margin-left:auto}"                                           \
	"button{font:inherit;font-size:13px;padding:1px 9px;"                  \
	"margin-left:2px;border:1px solid var(--rule);border-radius:4px;"      \
	"background:var(--card);color:var(--text);cursor:pointer}"

/* Narrower pages, paper, and systems that choose the colours. */
#define STYLE_MEDIA                                                            \
	"@media(max-width:1000px){"                                            \
	".cards{grid-template-columns:1fr 1fr}"                                \
	".card:nth-child(3){grid-column:1/-1}"                                 \
	".inner.wide{display:none}}"                                           \
	"@media(max-width:900px){"                                             \
	"summary{grid-template-columns:22px 90px 90px minmax(0,1fr) 120px}"    \
	".where{display:none}}"                                                \
	"@media(max-width:640px){"                                             \
	"main{padding:10px 12px 30px}"                                         \
	"h1{font-size:21px}"                                                   \
	".cards,.stacks{grid-template-columns:minmax(0,1fr)}"                  \
	"summary{grid-template-columns:20px 84px minmax(0,1fr) 122px;"         \
	"gap:3px 8px;padding:7px 8px}"                                         \
	".what{grid-column:3/-1;order:1}"                                      \
	".what small{display:block;margin:0}"                                  \
	"summary .meter{grid-column:1/4;order:2;height:7px}"                   \
	"summary .work{order:3}"                                               \
	".body{padding:2px 8px 10px}"                                          \
	".narrow,.inner.medium,.odd,svg .moment{display:none}"                 \
	"table{font-size:13px}"                                                \
	"td,th{padding-right:9px}"                                             \
	".facts{gap:4px 18px}}"                                                \
	"@media print{.buttons{display:none}.row{break-inside:avoid}}"         \
	"@media(forced-colors:active){"                                        \
	".picture,.meter,.work i,.legend svg,.lengths i{"                      \
	"forced-color-adjust:none}}"

const char *const gti_html_style[] = {
	":root{" COLOURS_LIGHT "}"
	"@media(prefers-color-scheme:dark){:root{" COLOURS_DARK "}}"
	"@media print{:root{" COLOURS_LIGHT "}}",
	STYLE_TEXT,
	STYLE_CARDS,
	STYLE_ROWS,
	STYLE_PICTURES,
	STYLE_MEDIA,
	NULL,
};

/*
 * Zooms pictures, opens the row that a link leads to, and opens or closes all
 * rows of a list. The buttons are made here, so that none is without effect
 * where scripts do not run.
 */
const char gti_html_script[] =
	"\"use strict\";(()=>{"
	"const find=(s,e=document)=>[...e.querySelectorAll(s)];"
	"const button=(text,label,act)=>{"
	"const b=document.createElement(\"button\");b.type=\"button\";"
	"b.textContent=text;b.setAttribute(\"aria-label\",label);"
	"b.onclick=act;return b};"
	"const add=(heading,...buttons)=>{"
	"const s=document.createElement(\"span\");s.className=\"buttons\";"
	"s.append(...buttons);heading.append(s)};"
	"const show=()=>{"
	"const e=document.getElementById(location.hash.slice(1));"
	"if(e&&e.tagName===\"DETAILS\"){e.open=true;e.scrollIntoView()}};"
	"addEventListener(\"hashchange\",show);show();"
	"for(const picture of find(\".picture\")){"
	"const box=picture.querySelector(\".scroll\");"
	"const plot=picture.querySelector(\".plot\");let scale=1;"
	"const zoom=(by,x=box.clientWidth/2)=>{"
	"const at=(box.scrollLeft+x)/(box.clientWidth*scale);"
	"scale=Math.min(64,Math.max(1,scale*by));"
	"plot.style.width=100*scale+\"%\";"
	"box.scrollLeft=at*box.clientWidth*scale-x};"
	"let heading=picture.previousElementSibling;"
	"while(heading&&!/^H[23]$/.test(heading.tagName))"
	"heading=heading.previousElementSibling;"
	"if(heading)add(heading,button(\"\\u2212\",\"zoom out\","
	"()=>zoom(.5)),button(\"+\",\"zoom in\",()=>zoom(2)));"
	"box.addEventListener(\"keydown\",e=>{"
	"const by={\"+\":2,\"=\":2,\"-\":.5,0:1e-9}[e.key];"
	"if(by){zoom(by);e.preventDefault()}});"
	"box.addEventListener(\"wheel\",e=>{if(e.ctrlKey){e.preventDefault();"
	"zoom(e.deltaY<0?1.25:.8,e.clientX-box.getBoundingClientRect().left)"
	"}},{passive:false})}"
	"for(const section of find(\"#slices,#stops\")){"
	"const rows=find(\"details\",section);"
	"const set=open=>()=>rows.forEach(r=>{r.open=open});"
	"if(rows.length>1)add(section.querySelector(\"h2\"),"
	"button(\"Open all\",\"open all \"+section.id,set(true)),"
	"button(\"Close all\",\"close all \"+section.id,set(false)))}"
	"})()";

const char gti_html_script_hash[] =
	"5dmAJxYjrv4IlGJ0jCinFTtjDY16Yv7u/9r+kc7jwhs=";
