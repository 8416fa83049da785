package local

import (
	"slices"
	"strings"
)

// Prompts in other languages are read for their plain orders alone: what is to be changed, deleted or published, and what
// is not. A clause in which such an order is found is put into English words in English order; all else of it is left
// as it is, and says nothing.

// inEnglish puts a clause into English, where it gives an order in a language that is known in part.
func inEnglish(c []token) ([]token, bool) {
	var order, not, foreign, only, told bool
	var verbs string
	var known, unknown []token
	for i, t := range c {
		en := gloss(t.word)
		switch {
		case pathLike(t.raw):
			known = append(known, t)
		case en == "not" || en == "nothing" || en == "untouched":
			not, foreign = true, true
			if en == "nothing" {
				known = append(known, token{word: "anything", raw: "anything"})
			} else if en == "untouched" && verbs == "" {
				verbs = "touch"
			}
		case t.word == "weg" && i > 0 && (c[i-1].word == "finger" || c[i-1].word == "hände"):
			not, foreign, verbs = true, true, "touch"
		case t.word == "no" || t.word == "sin":
			order = true // a no only beside a verb of that language
		case en == "only":
			only = true
		case en == "-":
		case en == "do": // "no hagas commit"
			foreign = true
		case en != "" && thing(t.word) == "":
			if foreign = true; verbs == "" {
				verbs, told = en, tells(t.word, c)
			}
		case en != "":
			known = append(known, token{word: en, raw: en})
		case verbs == "" && banned(t.word)&(commit|publish|deploy|install) != 0: // said in English anywhere
			verbs = t.word
		default:
			unknown = append(unknown, token{word: t.word, raw: t.raw})
		}
	}
	if !foreign || verbs == "" {
		return nil, false
	}
	if not = not || order; not && told {
		return nil, false
	}
	seen := verb(verbs)&(commit|publish|deploy) != 0 && verb(verbs)&remove == 0
	if len(known) == 0 && !seen {
		if known = unknown; not && len(known) == 0 {
			return nil, false
		}
	}
	var out []token
	add := func(ws ...string) {
		for _, w := range ws {
			out = append(out, token{word: w, raw: w})
		}
	}
	switch {
	case not:
		add("do", "not")
	case only:
		add("only")
	}
	add(verbs)
	out = append(out, known...)
	for i := range out {
		out[i].end, out[i].stop = false, false
	}
	out[len(out)-1].end, out[len(out)-1].stop = true, true // lists are not followed: who knows what else stands there
	return out, true
}

// gloss gives an English word for one of German, Spanish, French, Portuguese or Italian: a verb, a thing, "not",
// "nothing", "only" and the like; "-" for a word that says nothing; "" for one that is not known, or that is English too.
func gloss(w string) string {
	switch w {
	case "nicht", "kein", "keine", "keinen", "keiner", "keines", "keinem", "niemals", "nie", "nunca", "jamás", "não", "nao", "pas", "jamais", "non", "ohne":
		return "not"
	case "nichts", "nada", "rien", "niente", "nulla":
		return "nothing"
	case "ruhe", "unangetastet", "unverändert", "intacto", "intacta", "intactos", "intactas", "inchangé", "inchangés", "inalterado", "intatto":
		return "untouched"
	case "hagas", "haz", "hacer", "hagan", "fais", "faites", "faire", "faça", "fare", "mach", "mache", "machen":
		return "do"
	case "nur", "ausschließlich", "erst", "solo", "sólo", "solamente", "únicamente", "seulement", "uniquement", "somente", "apenas", "soltanto":
		return "only"
	case "ändern", "ändere", "ändert", "geändert", "verändern", "verändere", "verändert", "bearbeiten", "bearbeite", "bearbeitet", "editieren", "anpassen", "umschreiben",
		"cambies", "cambiar", "cambia", "cambie", "modifiques", "modificar", "modifica", "modifique", "edites", "editar", "alteres", "alterar", "altere", "mude", "mudar", "edite",
		"modifie", "modifiez", "modifier", "changez", "changer", "modificare", "cambiare", "modificate":
		return "change"
	case "anfassen", "fasse", "anrühren", "rühr", "rühre", "berühren", "angefasst", "toques", "tocar", "toque", "toquen", "mexa", "mexer", "mexas", "touche", "touchez", "toucher", "toccare", "tocca", "toccate":
		return "touch"
	case "löschen", "lösche", "lösch", "löscht", "gelöscht", "entfernen", "entferne", "entfernt", "wegwerfen", "borres", "borrar", "borra", "borre", "elimines", "eliminar", "elimina", "elimine",
		"supprime", "supprimez", "supprimer", "efface", "effacez", "effacer", "apague", "apagar", "apaga", "remova", "remover", "exclua", "excluir", "cancellare", "cancella", "eliminare", "rimuovere":
		return "delete"
	case "aufräumen", "räum", "räume", "bereinigen", "bereinige", "limpia", "limpiar", "limpie", "nettoie", "nettoyez", "nettoyer", "limpe", "limpar", "pulisci", "pulire":
		return "clean"
	case "überschreiben", "überschreibe", "überschreibt", "sobrescribas", "sobrescribir", "écrase", "écraser", "sobrescreva", "sobrescrever", "sovrascrivere":
		return "overwrite"
	case "zurücksetzen", "verwerfen", "verwirf", "restablecer", "resetear", "resetees", "réinitialiser", "annuler", "reverter", "ripristinare":
		return "reset"
	case "committen", "commiten", "commite", "committe", "committet", "einchecken", "commitear", "commitees", "comitees", "committer", "commitez", "commitar", "comite", "comitar", "committare":
		return "commit"
	case "pushen", "pushe", "gepusht", "hochladen", "subas", "pushees", "pushear", "pusher", "poussez", "pousser", "enviar", "envie", "pushare":
		return "push"
	case "veröffentlichen", "veröffentliche", "veröffentlicht", "publiques", "publicar", "publica", "publique", "publie", "publiez", "publier", "pubblicare", "pubblica":
		return "publish"
	case "deployen", "deploye", "deployt", "ausrollen", "despliegues", "desplegar", "despliega", "déployer", "déploie", "déployez", "implante", "implantar", "fazer-deploy", "deployare":
		return "deploy"
	case "installieren", "installiere", "installiert", "instales", "instalar", "instala", "instale", "installez", "installer", "installare":
		return "install"
	case "umbenennen", "verschieben", "renombrar", "renombres", "mover", "muevas", "renommer", "déplacer", "renomear", "rinominare", "spostare":
		return "move"
	}
	return thing(w)
}

// tells says that a verb beside a no is of a form that tells how things are, in this clause: "no cambia nada", "das ändert
// nichts". German can order with it in the passive, and French at the beginning of a clause.
func tells(w string, c []token) bool {
	switch w {
	case "cambia", "modifica", "elimina", "borra", "publica", "instala", "limpia", "despliega", "cancella", "tocca", "pubblica", "pulisci", "apaga":
		return true
	case "ändert", "verändert", "löscht", "entfernt", "bearbeitet", "installiert", "veröffentlicht", "committet", "deployt", "überschreibt":
		return !has(c, "werden") && !has(c, "darf") && !has(c, "bitte")
	case "touche", "modifie", "supprime", "efface", "publie", "déploie", "écrase":
		return !(c[0].word == "ne" || len(c) > 1 && (c[0].word == "et" || c[0].word == "mais" || c[0].word == "surtout") && c[1].word == "ne")
	}
	return false
}

// thing gives the English word for what orders are about.
func thing(w string) string {
	switch w {
	case "datenbank", "datenbanken", "db", "datos", "données", "dados", "dati":
		return "database"
	case "base", "bases", "de", "der", "die", "das", "den", "dem", "des", "del", "la", "el", "los", "las", "le", "les", "du", "il", "lo", "gli", "os", "von", "vom", "en", "em", "no.", "dans", "sur",
		"selbst", "bitte", "por", "favor", "porfa", "merci", "mehr", "noch", "auch", "etwas", "ne", "se",
		"werden", "dürfen", "darf", "soll", "sollen", "muss", "müssen", "lass", "lasse", "lassen", "deja", "dejar", "laisse", "laissez", "deixe", "dort", "hier", "aquí", "ici", "alles", "unter", "bajo", "sous", "sob",
		"dateien", "datei", "archivos", "archivo", "ficheros", "fichiers", "fichier", "arquivos", "arquivo", "ordner", "verzeichnis", "carpeta", "dossier", "pasta", "cartella", "an":
		return "-"
	case "test", "tests", "testfälle", "pruebas", "testes":
		return "tests"
	case "código", "quellcode", "codice":
		return "code"
	case "produktion", "produktiv", "prod", "producción", "produção", "produzione":
		return "production"
	case "konfiguration", "konfig", "configuración", "configuração", "configurazione":
		return "config"
	case "migrationen", "migraciones", "migrações", "migrazioni":
		return "migrations"
	case "esquema", "schéma":
		return "schema"
	case "abhängigkeiten", "dependencias", "dépendances", "dependências", "dipendenze":
		return "dependencies"
	case "bevor", "antes", "avant", "prima":
		return "before"
	case "wenn", "sobald", "cuando", "quand", "quando":
		return "when"
	}
	return ""
}

// glossed puts the words of a sentence into English one by one.
func glossed(s []token) []token {
	s = slices.Clone(s)
	for i := range s {
		if en := gloss(s[i].word); en != "" && en != "-" {
			s[i].word = en
		}
	}
	return s
}

// hanOrders are words of Japanese and Chinese, which are written without blanks, longer ones first.
var hanOrders = [...][2]string{
	{"上書き", "overwrite"}, {"覆盖", "overwrite"}, {"削除", "delete"}, {"删除", "delete"}, {"消さ", "delete"}, {"消す", "delete"}, {"消し", "delete"}, {"删", "delete"},
	{"コミット", "commit"}, {"提交", "commit"}, {"プッシュ", "push"}, {"推送", "push"}, {"デプロイ", "deploy"}, {"部署", "deploy"}, {"リリース", "publish"}, {"公開", "publish"}, {"发布", "publish"},
	{"インストール", "install"}, {"安装", "install"}, {"リセット", "reset"}, {"重置", "reset"}, {"変更", "change"}, {"変え", "change"}, {"編集", "change"}, {"修正", "change"}, {"書き換え", "change"},
	{"書き直", "fix"}, {"直し", "fix"}, {"追加", "add"}, {"作成", "make"}, {"作っ", "make"}, {"修复", "fix"}, {"添加", "add"}, {"修改", "change"}, {"更改", "change"}, {"改动", "change"}, {"触ら", "touch"}, {"触る", "touch"}, {"触れ", "touch"}, {"いじ", "touch"}, {"手を加え", "touch"}, {"动", "touch"}, {"碰", "touch"},
}

// hanNots rule out; "cannot" is none of them, as it tells of a fault.
var hanNots = [...]string{"ないで", "ないこと", "ないよう", "せず", "禁止", "だめ", "ダメ", "不要", "请勿", "别", "勿", "不得", "不许", "不可"}

var hanThings = [...][2]string{
	{"テスト", "tests"}, {"测试", "tests"}, {"データベース", "database"}, {"数据库", "database"}, {"コード", "code"}, {"代码", "code"}, {"本番", "production"}, {"生产", "production"}, {"設定", "config"}, {"配置", "config"},
	{"マイグレーション", "migrations"}, {"スキーマ", "schema"}, {"何も", "anything"}, {"一切", "anything"}, {"任何", "anything"}, {"什么都", "anything"},
}

// han reads a line with Japanese or Chinese in it as English clauses.
func han(line string) []token {
	var out []token
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("。、，；！？「」（）", r) }) {
		out = append(out, hanClause(strings.TrimSpace(part))...)
	}
	return out
}

func hanClause(part string) []token {
	order := ""
	for _, o := range hanOrders {
		if strings.Contains(part, o[0]) {
			order = o[1]
			break
		}
	}
	if order == "" {
		return nil
	}
	not := strings.HasSuffix(part, "るな") || slices.ContainsFunc(hanNots[:], func(n string) bool { return strings.Contains(part, n) })
	var objects []string
	for _, o := range hanThings {
		if strings.Contains(part, o[0]) {
			objects = append(objects, o[1], "or")
		}
	}
	for name := range strings.FieldsFuncSeq(part, func(r rune) bool { return r >= 0x80 || r == '`' || r == '"' || r == ',' }) {
		if name = strings.Trim(name, " ().:;"); pathLike(name) {
			objects = append(objects, name, "or")
		}
	}
	if not && len(objects) == 0 && verb(order)&(commit|publish|deploy|install) == 0 || not && verb(order)&remove != 0 && len(objects) == 0 {
		return nil // it is about something that is not known
	}
	ws := []string{order}
	if not {
		ws = []string{"do", "not", order}
	}
	ws = append(ws, objects[:max(0, len(objects)-1)]...)
	out := make([]token, len(ws))
	for i, w := range ws {
		out[i] = token{word: strings.ToLower(w), raw: w}
	}
	out[len(out)-1].end, out[len(out)-1].stop = true, true
	return out
}

// isHan says that a word holds Japanese or Chinese.
func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3040 && r <= 0x9fff })
}
