"""The message ids of what `words` says, by the keys that rules and records use. In Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.goals import DRAW, LOSE, WIN


def worded(msgid: str) -> str:
    """Marks a message id that is looked up later."""
    return msgid


REFUSALS: Mapping[str, str] = {
    # What the table allows now
    "dead": worded("%(seat)s 已经阵亡或离场。要是先前记错了，请房主在记录里点那一条来改。"),
    "over": worded("这一局已经结束。要改结果，先撤销最后一条。"),
    "not_dealt": worded("还没有发身份牌。先发牌，再记别的。"),
    "dealt_twice": worded("身份牌已经发过了。要重新发，请另开一局。"),
    "question_open": worded("正在问 %(seat)s，先记下回答。"),
    "no_question": worded("现在没有提问，不用回答。"),
    "other_asked": worded("现在问的是 %(seat)s，请记这一位的回答。"),
    "not_a_choice": worded("没有这个选项。请从这些里选：%(choices)s。"),
    "no_seat": worded("没有 %(seat_number)s，这一局只有 %(most)s 个座位。"),
    "not_in_mode": worded("本模式没有“%(verb)s”这种记录。"),
    # Hit points and dying
    "hp_off": worded("这一局不记体力。想记体力，下一局发牌前打开“记体力”。"),
    "begun": worded("武将的体力要在第一个回合之前记。现在要改，请用更正。"),
    "full": worded("%(seat)s 体力已满，不能再回复。看看是不是记错了人。"),
    "already_dying": worded("%(seat)s 已经濒死。接下来记救回，或者记阵亡。"),
    "not_dying": worded("%(seat)s 没有濒死。先记濒死，再记救回。"),
    "no_killer": worded("%(seat)s 的凶手是谁？没有凶手就写 by -。"),
    "not_correctable": worded("“%(found)s”在本模式不能更正。"),
    # How a line is written
    "too_short": worded("这一行没有写完，请补全。"),
    "too_long": worded("从“%(found)s”起是多余的，请删去。"),
    "unexpected": worded("这里要写“%(wanted)s”，不是“%(found)s”。"),
    "not_a_number": worded("“%(found)s”不是数字，请写 1、2、3 这样的数字。"),
    "not_in_range": worded("%(found)s 不行，要在 %(least)s 到 %(most)s 之间。"),
    "not_signed": worded("“%(found)s”前面要写 + 或 -，例如 +1。"),
    "unknown_input": worded("没有“%(found)s”这种记录，请检查拼写。"),
    "unknown_role": worded("本模式没有“%(found)s”这个身份，请检查拼写。"),
    "hidden_role": worded("“%(found)s”是看不到的身份。这样的记录只供阅读；要重放，请用完整的记录。"),
    "not_a_line": worded("看不懂这一行。记录以“1.”这样的编号开头，说明以“;”开头。"),
    "not_a_tag": worded('这个标签没有写对，应当像 [Mode "court8"] 这样。'),
    # The record as a whole
    "record_version": worded("这份记录的格式是 %(found)s，这个程序只认 %(known)s。请换用新版程序。"),
    "no_mode": worded('没有写是什么模式。请在开头加上 [Mode "court8"] 这样的一行。'),
    "derived_differs": worded("“>”后面写的和重放的结果不一样。看看这一条或前面的记录是不是改过。"),
    "result_differs": worded("[Result] 写的是“%(found)s”，重放的结果却不是。"),
    "viewer_lacks_seat": worded("这一局没有这个座位，只列出大家都知道的。"),
    "hidden_deal": worded("第一条应当是发身份牌，这一条不能用。不带 --as 再运行一次，就能看到原因。"),
    # Mode, options, composition
    "unknown_mode": worded("没有“%(found)s”这个模式。可以选：%(known)s。"),
    "unknown_option": worded("本模式没有“%(option)s”这个选项，请去掉它。"),
    "option_value": worded("选项“%(option)s”只能是：%(values)s。"),
    "players": worded("%(mode)s要 %(players)s 人，现在是 %(found)s 人。"),
    "no_composition": worded("%(found)s 人局不能用这个选项。请改选项，或者换人数。"),
    "composition": worded("%(found)s 人局的身份应当是：%(roles)s。"),
    "plain_cards": worded("%(role)s在本模式只写身份，不带颜色，也不带目标。"),
    "seat_1": worded("一号位必须是%(role)s。请从%(role)s开始排座次。"),
    # Provinces
    "provinces_off": worded("这一局不记州，只记上限。州以桌上面朝下的牌为准。"),
    "provinces_range": worded("%(seat)s 的基本州只能是 0 到上限 %(most)s，不能是 %(found)s。"),
    # Identity skills
    "unknown_skill": worded("没有“%(found)s”这个身份技，请检查拼写。"),
    "skill_seats": worded("“%(skill)s”要写 %(least)s 到 %(most)s 个座位。"),
    "skill_used": worded("%(seat)s 已经用过“%(skill)s”。"),
    "not_holder": worded("%(seat)s 不能用“%(skill)s”。"),
    "not_own_turn": worded("只能在 %(seat)s 自己的回合用。先记下回合。"),
    "not_oneself": worded("%(seat)s 不能选自己，请选别人。"),
    "no_lord_dying": worded("没有与 %(seat)s 同色的公开主公在濒死，现在不能护驾。"),
    "not_from_damage": worded("%(seat)s 是失去体力而濒死，不能代为承受。"),
    "named_twice": worded("%(seat)s 写了两遍，请去掉一个。"),
    "touch_with_hp": worded("这一局记体力，伤害和治疗请直接记。"),
    "touch_two": worded("这里要写两位不同的人。"),
    # What may be dealt
    "excludes": worded("%(role)s和%(role_other)s不能同局。请换掉其中一张。"),
    "only_one": worded("%(role)s最多一张。"),
    "only_one_a_colour": worded("%(colour)s色最多一张%(role)s。"),
    "needs_copied_lord": worded("有伪帝就要有主公或明主给他复制。"),
    "no_lord": worded("至少要有一位主公、明主、先主或潜龙。"),
    "colour_twice": worded("%(colour)s色有两位主公。每种颜色只能有一位。"),
    "colour_missing": worded("有几位主公时，%(role)s要写颜色，例如 :red。"),
    "colour_without_lord": worded("没有%(colour)s色的主公，%(role)s就不能是这个颜色。"),
    "colourless": worded("%(role)s没有颜色，请去掉。"),
    "unknown_colour": worded("没有“%(found)s”这种颜色，只有 red、blue、green。"),
    "turban_players": worded("%(least)s 人以上才能有黄巾。"),
    "turban_count": worded("有 %(found)s 张黄巾，最多 %(most)s 张（少于人数的一半）。"),
    "won_already": worded("这样一开局就已分出胜负（%(ending)s）。请加入对手。"),
    "other_mode": worded("楚军和汉军只出现在楚汉争霸。"),
    "never_dealt": worded("%(role)s不发牌，只由先主指定。"),
    "target_missing": worded("%(seat)s 的%(role)s没有写目标，例如 >2。"),
    "target_wrong": worded("%(role)s不能指向 %(found)s 号位：刺客指向别人，伪帝指向主公或明主。"),
    "pointless": worded("%(role)s没有目标，请去掉“>”。"),
    "printed_target": worded("印出来的牌没有目标，请去掉“>”。"),
    "printed_copies": worded("一种身份最多印 %(most)s 张，%(role)s写了 %(found)s 张。"),
    "seating": worded("座次要是楚、汉、汉、楚：一号和四号位是楚军。"),
    # An evening
    "cards_missing": worded("有 %(cards)s 张身份牌、%(found)s 个人。请加减身份牌，或者等人到齐。"),
    "skill_of_another": worded("技能只能由本人在自己的手机上发动；没有手机的，在别人的手机上打开自己的牌再发动。"),
    "no_name": worded("请写下名字。"),
    "wifi_name": worded("这个网络名太长，Wi-Fi 的名字最多 %(most)s 个字节（一个汉字占三个）。"),
    "wifi_password": worded("Wi-Fi 密码要 %(least)s 到 %(most)s 位。没有密码就选“开放网络”。"),
    "table_full": worded("一桌最多坐 %(most)s 人。"),
    "game_runs": worded("牌局正在进行，等这一局结束再改。"),
    "no_person": worded("这个人已经不在这一桌了。"),
    "seated": worded("这台手机已经有座位了。"),
    "seen_everything": worded("这个浏览器看过这一局的所有身份，不能再入座。请换一台手机。"),
    "claims_full": worded("同时找座位的手机太多了。请等房主先处理，再点一次。"),
    "claimed_twice": worded("有两台手机要同一个座位。问清是谁，再单独批准。"),
    "has_phone": worded("%(name)s 用的是自己的手机，牌只在那里看。"),
    "not_opened": worded("牌已经盖上了。请再点一次名字，把牌打开。"),
    "offer_gone": worded("这个码已经用过，或者过期了。请在房主页上再要一个。"),
    "phones_deal": worded("这一局由手机发牌，不用录牌。要用纸牌发，请房主选“用纸牌发”。"),
    "card_mistyped": worded("编码抄错了。是六位数字和字母，请照着牌再输一次。"),
    "card_unknown": worded("没有这个编码的牌。请再看一眼；如果牌是在别的电脑上印的，这里认不出来。"),
    "card_other_mode": worded("这张牌是别的模式的。这一桌玩的是%(mode)s，请把牌放回去，换一副。"),
    "card_not_in_play": worded("这张牌不在这一局的身份配置里。请把它放回去，另抽一张。"),
    "card_entered": worded("你已经录过一张牌。要换，先点“收回这张”。"),
    "cards_to_enter": worded("还有 %(n)s 人没有录牌。"),
    "cards_wrong": worded("这些牌和身份配置对不上。请把牌收齐核对，再抽一次。"),
    "paused": worded("牌局暂停了。等房主继续，再记。"),
    "deal_stays": worded("发牌不能改。要重新发，请另开一局。"),
    "no_line": worded("记录里没有这一条了。看看现在的记录，再改。"),
    "same_line": worded("和原来一样，没有要改的。"),
    "log_moved": worded("这期间又有人记了别的。看看现在的记录，再改一次。"),
    "draft_held": worded("上一条还没生效。请稍候，或者先撤销它。"),
    "rules_changed": worded("这一局是用旧版规则记的，不能再接着记。记录可以下载，请另开一局。"),
    "no_table": worded("没有这一桌。请再扫一次桌上的二维码。"),
}
"""The words of every refusal and of every fault in a record, by its key."""

ORDERS: Mapping[str, str] = {
    "use": worded("发动“%(skill)s”"),
    "heal": worded("回复 %(n)s 点体力"),
    "set_hp": worded("体力变为 %(n)s"),
    "lose_hp": worded("失去 %(n)s 点体力"),
    "damage": worded("受到 %(n)s 点伤害"),
    "discard_all": worded("弃置所有手牌和装备区里的牌"),
    "discard_zones": worded("弃置手牌、装备区和判定区里的所有牌"),
    "lord_skill": worded("获得武将牌上的主公技"),
    "extra_turn": worded("当前回合结束后，额外进行一个回合"),
    "modifier_on": worded("“%(skill)s”生效"),
    "modifier_off": worded("“%(skill)s”不再生效"),
    "choose": worded("任选一项：%(choices)s"),
    "reveal": worded("亮明身份：%(identity)s"),
    "become": worded("变为%(identity)s"),
    "depart": worded("离场，成绩已定"),
    "swap": worded("与%(seats)s交换行动顺序"),
    "uprising": worded("黄巾起义：所有黄巾亮明身份，此后无人再变为黄巾"),
    "gain_skill": worded("获得“%(skill)s”的效果"),
    "take_random": worded("从其他每人处随机获得一张手牌或装备"),
    "draw_tactics": worded("获得 %(n)s 张随机战法牌"),
    "play_slashes": worded("可以对 %(choices)s 打出所有【杀】"),
    "take_trophy": worded("可以收走 %(seats)s 的志向牌，正面朝上放在自己的州后面"),
    "lose_all_but_provinces": worded("失去州区以外的所有牌（手牌、将区、客区）"),
    "settle_conquest": worded("进行攻陷或攻取结算"),
    "survive": worded("体力回到 1 点以上，没有阵亡"),
}
"""What is to be done or came about, where one wording serves for every number."""

ASKS: Mapping[str, str] = {
    "turncoat": worded("愿意成为叛徒，加入内奸一方吗？"),
    "scheme": worded("要一个额外回合，还是令其他人各失去 1 点体力？"),
    "successor": worded("立谁为后主？"),
}
CHOICES: Mapping[str, str] = {
    "yes": worded("愿意"),
    "no": worded("不愿意"),
    "extra_turn": worded("额外回合"),
    "drain": worded("其他人各失去 1 点体力"),
    "heal 1": worded("回复 1 点体力"),
    "draw 2": worded("摸两张牌"),
}
VERBS: Mapping[str, tuple[str, str]] = {
    "death": (worded("阵亡"), worded("凶手是谁？")),
    "dying": (worded("濒死"), worded("谁造成的？")),
    "saved": (worded("救回"), worded("体力回到 1 点？")),
    "damage": (worded("伤害"), worded("几点伤害？来源是谁？")),
    "heal": (worded("回复"), worded("回复几点？谁令其回复？")),
    "lose": (worded("失去体力"), worded("失去几点？")),
    "hp": (worded("初始体力"), worded("武将的体力是几点？")),
    "provinces": (worded("州"), worded("州增减几张？")),
    "limit": (worded("州的上限"), worded("州的上限加减多少？")),
    "turn": (worded("回合"), worded("轮到这位了吗？")),
    "leave": (worded("离开牌局"), worded("确定离开？")),
}
"""What each event that can be recorded of a person is called, and what is asked to record it."""
RESCUES: Mapping[str, tuple[str, str]] = {
    "": (worded("求桃。救回来了，还是阵亡？"), VERBS["saved"][1]),
    "limit": (worded("恢复到至少一州，还是阵亡？"), worded("恢复到至少一州了？")),
    "provinces": (worded("恢复到几个州，还是阵亡？"), worded("恢复到几个州？")),
}
"""What everybody is asked of whoever is dying, and what is asked to record that they are saved, by the counter of the
mode's own that it goes by: provinces, their limit where only that is counted, or none."""
CONDITIONS: Mapping[str, str] = {"dying": worded("濒死"), "dead": worded("阵亡"), "departed": worded("离场")}
GRADES: Mapping[str, str] = {WIN: worded("胜"), DRAW: worded("平"), LOSE: worded("负")}
COUNTERS: Mapping[str, str] = {
    "hp": worded("体力"),
    "max_hp": worded("体力上限"),
    "provinces": worded("州"),
    "limit": worded("州的上限"),
}
OPTIONS: Mapping[tuple[str, str], str] = {
    ("hp", "on"): worded("记体力"),
    ("provinces", "on"): worded("记州数"),
    ("branch", "luan"): worded("六人起多一乱"),
    ("branch", "duo"): worded("六人起多一夺"),
    ("double", "on"): worded("双内奸"),
    ("hidden_dead", "on"): worded("阵亡不亮身份"),
    ("hide_composition", "on"): worded("不公布身份配置"),
}
COLOURS: Mapping[str, str] = {"red": worded("红"), "blue": worded("蓝"), "green": worded("绿")}
NOTES: Mapping[str, str] = {
    "was": worded("原来记的是：%(line)s"),
    "undone": worded("撤销了：%(line)s"),
    "no longer fits": worded("对不上了，没有计入：%(line)s"),
}
"""What became of a line that stands no more."""
